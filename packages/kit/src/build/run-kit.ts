import { dirname, relative, resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { checkReport } from '../check/check-report.ts';
import { checkSkill } from '../check/check-skill.ts';
import { runCli } from '../cli/index.ts';
import { tellIfStuck } from '../cli/tell-if-stuck.ts';
import { KitError } from '../kit-error.ts';
import { ownTarget } from './build-bun.ts';
import { buildSkill } from './build-skill.ts';
import type { KitIo } from './kit-io.ts';
import { loadDefinition } from './load-definition.ts';
import { placeInSource } from './place-in-source.ts';

const BUILD_USAGE =
  'build <entry> -o <dir> [--mode bun|node] [--protocol session|stateless] [--targets <a,b>] [--single] [--no-check]';

const HELP = `skillyard-kit: builds and checks skills written in TypeScript.

Usage: skillyard-kit <command>

  ${BUILD_USAGE}
      makes a folder that runs on its own; bun: executables, node: one bundle
  check <entry>
      says what is wrong with a skill, without running it
  run <entry> [start|advance|...]
      the command line of the skill, from its source
  dev <entry> [--params <json>] [--host <name>] [--tools <a,b>]
      shows the prompts and takes your answers; loads the skill again when its source changes

Every command takes --alias <package>: another name under which the source imports the kit.
`;

/** Libraries have deep stacks: the author's call is below them. */
const STACK_FRAMES = 60;

const ALIAS = { alias: { type: 'string', multiple: true } } as const;

/**
 * Runs one command line of the kit.
 * @param argv what stands behind `skillyard-kit`
 * @returns the exit code
 */
export async function runKit(argv: readonly string[], io: KitIo): Promise<number> {
  const [command, ...rest] = argv;
  // Errors in a skill are told by the lines of its source.
  process.setSourceMapsEnabled(true);
  Error.stackTraceLimit = STACK_FRAMES;
  const callOff = tellIfStuck();
  try {
    switch (command) {
      case 'build':
        return await build(rest, io);
      case 'check':
        return await check(rest, io);
      case 'run':
        return await run(rest, io);
      case 'dev':
        return await dev(rest, io);
      case undefined:
      case 'help':
      case '--help':
      case '-h':
        io.stderr(HELP);
        return 0;
      default:
        throw new KitError('PROTOCOL', `unknown command "${command}": there are build, check, run and dev`);
    }
  } catch (error) {
    const place = placeInSource(error, io.cwd);
    const message = error instanceof Error ? error.message : String(error);
    io.stderr(`error: ${message}${place === null ? '' : ` (${place})`}\n`);
    return 1;
  } finally {
    callOff();
  }
}

async function build(args: readonly string[], io: KitIo): Promise<number> {
  const { values, entry } = read(args, {
    ...ALIAS,
    output: { type: 'string', short: 'o' },
    mode: { type: 'string', default: 'bun' },
    protocol: { type: 'string', default: 'session' },
    targets: { type: 'string' },
    single: { type: 'boolean' },
    'no-check': { type: 'boolean' },
  });
  if (entry === undefined) return usage(BUILD_USAGE, io);
  if (values.output === undefined) throw new KitError('PROTOCOL', 'name the folder to build into: -o <dir>');
  const targets =
    values.single === true
      ? [ownTarget()]
      : values.targets === undefined
        ? undefined
        : listIn(values.targets);
  const built = await buildSkill(resolve(io.cwd, entry), {
    outDir: resolve(io.cwd, values.output),
    mode: choice('--mode', values.mode, ['bun', 'node']),
    protocol: choice('--protocol', values.protocol, ['session', 'stateless']),
    check: values['no-check'] !== true,
    ...(targets && { targets }),
    ...aliasesIn(values),
  });
  for (const line of built.warnings) io.stderr(`warning: ${line}\n`);
  if (built.diagnostics.length > 0) say(checkReport(built.definition, built.diagnostics), io);
  const { name, version } = built.definition;
  io.stdout(`${name} ${version}: ${built.files.length} files in ${relative(io.cwd, built.dir) || '.'}\n`);
  return 0;
}

async function check(args: readonly string[], io: KitIo): Promise<number> {
  const { values, entry } = read(args, ALIAS);
  if (entry === undefined) return usage('check <entry>', io);
  const path = resolve(io.cwd, entry);
  const definition = await loadDefinition(path, aliasesIn(values));
  const found = checkSkill(definition, dirname(path));
  say(checkReport(definition, found), io);
  return found.some((one) => one.severity === 'error') ? 1 : 0;
}

async function run(args: readonly string[], io: KitIo): Promise<number> {
  // What stands behind the file belongs to the skill.
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--alias');
  const { values, entry } = read(at === -1 ? args : args.slice(0, at + 1), ALIAS);
  if (entry === undefined) return usage('run <entry> [start|advance|...]', io);
  const path = resolve(io.cwd, entry);
  return runCli(await loadDefinition(path, aliasesIn(values)), {
    argv: args.slice(at + 1),
    env: io.env,
    skillDir: dirname(path),
    stdout: io.stdout.bind(io),
    stderr: io.stderr.bind(io),
    placeOf: (error) => placeInSource(error, io.cwd),
    ...(io.signal && { signal: io.signal }),
  });
}

async function dev(args: readonly string[], io: KitIo): Promise<number> {
  const { values, entry } = read(args, {
    ...ALIAS,
    params: { type: 'string', default: '{}' },
    host: { type: 'string', default: 'generic' },
    tools: { type: 'string', default: '' },
  });
  if (entry === undefined) return usage('dev <entry> [--params <json>] [--host <name>] [--tools <a,b>]', io);
  const { devLoop } = await import('./dev-loop.ts');
  const toolsAvailable = listIn(values.tools);
  await devLoop(
    resolve(io.cwd, entry),
    {
      params: jsonIn('--params', values.params),
      handshake: { host: values.host, toolsAvailable },
      ...aliasesIn(values),
    },
    io,
  );
  return 0;
}

function jsonIn(option: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new KitError('PROTOCOL', `${option} is no JSON: ${text}`, { cause: error });
  }
}

function listIn(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function aliasesIn({ alias }: { readonly alias?: string[] }): { readonly aliases?: readonly string[] } {
  return alias === undefined ? {} : { aliases: alias };
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** @throws KitError PROTOCOL for an option that there is not, and for a second entry */
function read<const Given extends Options>(args: readonly string[], options: Given) {
  const parsed = parse(args, options);
  const [entry, extra] = parsed.positionals;
  if (extra !== undefined) throw new KitError('PROTOCOL', `"${extra}" is too much: name one source file`);
  return { values: parsed.values, entry };
}

function parse<const Given extends Options>(args: readonly string[], options: Given) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new KitError('PROTOCOL', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function choice<const Word extends string>(option: string, text: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === text);
  if (word !== undefined) return word;
  throw new KitError('PROTOCOL', `${option} "${text}" is unknown; write ${words.join(' or ')}`);
}

function usage(text: string, io: KitIo): number {
  io.stderr(`Usage: skillyard-kit ${text}\n`);
  return 1;
}

function say(lines: readonly string[], io: KitIo): void {
  io.stderr(`${lines.join('\n')}\n`);
}
