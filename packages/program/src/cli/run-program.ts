import { ProgramError } from '../program-error.ts';
import { agentsVerb } from './agents.ts';
import { buildVerb } from './build.ts';
import { doctorVerb } from './doctor.ts';
import { initVerb } from './init.ts';
import { parseFlags } from './parse-flags.ts';
import { printable } from './printable.ts';
import type { ProgramIo } from './program-io.ts';
import { pruneVerb } from './prune.ts';
import { registerAllVerb } from './register-all.ts';
import { registerVerb } from './register.ts';
import { testVerb } from './test.ts';
import { runVerb } from './run.ts';
import { resumeVerb } from './resume.ts';
import { respondVerb } from './respond.ts';
import { inspectVerb } from './inspect.ts';
import { replayVerb } from './replay.ts';
import type { Verb } from './verb.ts';
import { versionVerb } from './version.ts';

/** In the order of the help. */
const VERBS: readonly Verb[] = [
  runVerb,
  respondVerb,
  resumeVerb,
  inspectVerb,
  replayVerb,
  testVerb,
  initVerb,
  buildVerb,
  doctorVerb,
  registerVerb,
  registerAllVerb,
  agentsVerb,
  pruneVerb,
  versionVerb,
];

/** A command line that was not understood. */
const MISUSED = 2;
/** The process was asked to end. */
const STOPPED = 130;
const STOPPED_TEXT =
  'skillyard-program: stopped; what was recorded is kept\nhint: `inspect` lists the runs of a skill, and `resume <run>` goes on with one\n';

/**
 * Runs one command line.
 * @param args what stands behind `skillyard-program`
 * @returns the exit code: 0 for any progress, 1 for an error, 2 for a verb or a flag that there is not, 130 when it was stopped
 */
export async function runProgram(args: readonly string[], io: ProgramIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    io.stderr(help());
    return MISUSED;
  }
  if (name === 'help' || name === '--help' || name === '-h') {
    io.stdout(help());
    return 0;
  }
  const verb = VERBS.find((one) => one.name === name);
  if (verb === undefined) {
    io.stderr(`skillyard-program: unknown verb "${name}"\n\n${help()}`);
    return MISUSED;
  }
  if (rest[0] === '--help' || rest[0] === '-h') {
    io.stdout(`Usage: skillyard-program ${usageOf(verb)}\n  ${verb.summary}\n`);
    return 0;
  }
  let parsed: ReturnType<typeof parseFlags>;
  try {
    parsed = parseFlags(rest, verb.flags);
  } catch (error) {
    io.stderr(`${messageOf(error)}\nUsage: skillyard-program ${usageOf(verb)}\n`);
    return MISUSED;
  }
  try {
    return await verb.run({ ...parsed, io });
  } catch (error) {
    if (io.signal?.aborted === true && error === io.signal.reason) {
      io.stderr(STOPPED_TEXT);
      return STOPPED;
    }
    io.stderr(printable(`skillyard-program: ${messageOf(error)}\n`));
    if (ProgramError.is(error, 'USAGE') && error.hint === null)
      io.stderr(`hint: skillyard-program ${usageOf(verb)}\n`);
    return 1;
  }
}

function help(): string {
  const verbs = VERBS.map((verb) => `  ${usageOf(verb)}\n      ${verb.summary}\n`).join('');
  return `skillyard-program: runs programs of the protocol yield.v1 and answers what they ask.\n\nUsage: skillyard-program <verb>\n\n${verbs}`;
}

function usageOf({ name, usage }: Verb): string {
  return usage === '' ? name : `${name} ${usage}`;
}

/** An error of ours says all in its message; of any other one, it is worth knowing where it came from. */
function messageOf(error: unknown): string {
  if (ProgramError.is(error)) return error.advice;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
