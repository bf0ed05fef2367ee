import { SkillyardError } from '@skillyard/contracts';
import { Command, CommanderError, Option } from 'commander';
import { addAnswer } from './commands/answer-command.ts';
import { addCheck } from './commands/check-command.ts';
import { addConfig } from './commands/config-command.ts';
import { addConformance } from './commands/conformance-command.ts';
import type { Attach, CommonOptions } from './commands/context.ts';
import { addGraph } from './commands/graph-command.ts';
import { addMigrate } from './commands/migrate-command.ts';
import { addHandbook } from './commands/handbook-command.ts';
import { addKit } from './commands/kit-command.ts';
import { addKeys } from './commands/keys-command.ts';
import { addLint } from './commands/lint-command.ts';
import { addOrchestrator } from './commands/orchestrator-command.ts';
import { addProgram } from './commands/program-command.ts';
import { addRun } from './commands/run-command.ts';
import { addSchema } from './commands/schema-command.ts';
import { addServe } from './commands/serve-command.ts';
import { addSkills } from './commands/skills-command.ts';
import { addSubmit } from './commands/submit-command.ts';
import { addValidate } from './commands/validate-command.ts';
import { addCancel } from './commands/cancel-command.ts';
import { addFailed } from './commands/failed-command.ts';
import { addQuestions } from './commands/questions-command.ts';
import { addQueues } from './commands/queues-command.ts';
import { addRedrive } from './commands/redrive-command.ts';
import { addResolve } from './commands/resolve-command.ts';
import { addWhy } from './commands/why-command.ts';
import { addWatch } from './commands/watch-command.ts';
import { addWorker } from './commands/worker-command.ts';
import type { Surroundings } from './surroundings.ts';
import { EXIT, exitCodeOfError } from './terminal/exit-code.ts';
import { printError } from './terminal/render-error.ts';
import { createTerminal } from './terminal/terminal.ts';
import { VERSION } from './version.ts';

const EXAMPLES = `
Examples:
  skillyard validate skills/
  skillyard check skills/ --forbid files:write_file
  skillyard run skills/triage.yaml --input "the build is red"
  cat report.txt | skillyard run skills/triage.yaml --input-file - --json
  skillyard serve --config skillyard.yaml
  skillyard submit skills/triage.yaml --input "the build is red" --watch

Exit codes: 0 completed, 1 failed, 2 bad input, 3 the skill exited, 4 something is unavailable,
5 denied, 6 refused, 7 blocked, 8 a requirement failed, 130 cancelled.`;

/**
 * Runs one command line.
 * @param args what stands behind `skillyard`
 * @returns the exit code
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  let exitCode: number = EXIT.completed;
  const attach: Attach = (command, action) => {
    command
      .option('--json', 'print one JSON document on standard output')
      .option('--verbose', 'print stack traces of errors')
      .action(async (...given: unknown[]) => {
        const self = given.at(-1) as Command;
        const options = self.opts<CommonOptions>();
        const terminal = createTerminal(surroundings, { json: options.json === true });
        const context = { surroundings, terminal, verbose: options.verbose === true };
        exitCode = await action(context, self.args, options as never);
      });
  };
  const program = createProgram(surroundings, attach);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.completed;
    const own = error instanceof CommanderError ? usageError(error, namedCommand(program, args)) : error;
    const terminal = createTerminal(surroundings, { json: args.includes('--json') });
    printError(terminal, own, { verbose: args.includes('--verbose') });
    return exitCodeOfError(own);
  }
}

function createProgram(surroundings: Surroundings, attach: Attach): Command {
  const program = new Command('skillyard')
    .description('Runs skill turns: the steps of a skill as jobs, in this process or on a cluster.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
    .addHelpText('after', EXAMPLES)
    .showSuggestionAfterError(true)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void surroundings.stdout.write(text),
      // What commander calls an error is printed by us, in the form of all other errors.
      writeErr: () => undefined,
    });
  for (const add of [
    addRun,
    addValidate,
    addLint,
    addCheck,
    addMigrate,
    addGraph,
    addSchema,
    addHandbook,
    addKit,
    addProgram,
    addServe,
    addWorker,
    addOrchestrator,
    addSubmit,
    addWatch,
    addWhy,
    addCancel,
    addQuestions,
    addAnswer,
    addQueues,
    addFailed,
    addRedrive,
    addResolve,
    addKeys,
    addSkills,
    addConfig,
    addConformance,
  ])
    add(program, attach);
  for (const command of program.commands) answerVersion(command, surroundings);
  return program;
}

/** Options of the program are looked for before the first command alone; who asks behind one gets an answer all the same. */
function answerVersion(command: Command, surroundings: Surroundings): void {
  command.addOption(new Option('-V, --version').hideHelp());
  command.on('option:version', () => {
    surroundings.stdout.write(`${VERSION}\n`);
    throw new CommanderError(0, 'commander.version', VERSION);
  });
  for (const one of command.commands) answerVersion(one, surroundings);
}

/** The command that a command line names, as far as there is one: `skillyard skills show`. */
function namedCommand(program: Command, args: readonly string[]): string {
  let command = program;
  const names = [program.name()];
  for (const arg of args) {
    const next = command.commands.find((one) => one.name() === arg);
    if (next === undefined) break;
    command = next;
    names.push(arg);
  }
  return names.join(' ');
}

/** Commander's word for a wrong command line, in ours. */
function usageError(error: CommanderError, command: string): SkillyardError {
  if (error.code === 'commander.help') {
    return new SkillyardError('INPUT_INVALID', `no command is given; see \`${command} --help\``, {
      cause: error,
    });
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /\(Did you mean (.+?)\?\)/.exec(rest.join(' '))?.[1];
  const hint = suggestion === undefined ? `see \`${command} --help\`` : `did you mean ${suggestion}?`;
  return new SkillyardError('INPUT_INVALID', `${first.replace(/\.$/, '')}; ${hint}`, { cause: error });
}
