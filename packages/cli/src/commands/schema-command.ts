import { writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { readRegularFile } from '@skillyard/catalog';
import { SKILL_SCHEMAS, type SkillSchema, SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { isMap, parseDocument, stringify } from 'yaml';
import { schemaSummary } from '../schema/schema-summary.ts';
import { displayPath } from '../skill/read-file.ts';
import { EXIT } from '../terminal/exit-code.ts';
import { type Attach, type CommandContext, readChoice } from './context.ts';

interface SchemaOptions {
  readonly lang: string;
  readonly summary?: boolean;
  readonly yaml?: boolean;
  readonly write?: string;
}

/** `skillyard schema`: the format of skill files, for editors, people and models. */
export function addSchema(program: Command, attach: Attach): void {
  const command = program
    .command('schema')
    .summary('print the format of skill files as JSON Schema')
    .description(
      'Prints the format of skill files as JSON Schema (2020-12) with a description of every key: YAML, or JSON with --json.',
    )
    .option('--lang <language>', 'language of the descriptions: en or ru', 'en')
    .option('--summary', 'print every key in one line instead, under 12 KiB, for the prompt of a model')
    .option('--yaml', 'print YAML, as without --json')
    .option('--write <file>', 'write the schema to a file, JSON unless it ends in .yaml or .yml');
  attach<SchemaOptions>(command, async (context, _args, options) => {
    const { terminal } = context;
    const language = readChoice('--lang', options.lang, ['en', 'ru']) ?? 'en';
    const schema = SKILL_SCHEMAS[language];
    if (options.yaml === true && terminal.json) refuse('--json and --yaml exclude each other');
    if (options.write !== undefined) {
      if (options.summary === true) refuse('--summary is printed only; write `--summary > <file>`');
      await writeSchema(schema, options.write, context);
    } else if (options.summary === true) {
      const summary = schemaSummary(schema, language);
      if (terminal.json) terminal.document({ language, bytes: Buffer.byteLength(summary), summary });
      else terminal.out(summary);
    } else if (terminal.json) terminal.document(schema);
    else terminal.out(asYaml(schema));
    return EXIT.completed;
  });
}

async function writeSchema(schema: SkillSchema, file: string, context: CommandContext): Promise<void> {
  const { surroundings, terminal } = context;
  const path = resolve(surroundings.cwd, file);
  const shown = displayPath(file, surroundings.cwd);
  const text = ['.yaml', '.yml'].includes(extname(path).toLowerCase())
    ? asYaml(schema)
    : `${JSON.stringify(schema, null, 2)}\n`;
  await refuseToOverwrite(path, shown);
  try {
    await writeFile(path, text);
  } catch (cause) {
    throw unwritable(shown, cause);
  }
  if (terminal.json) {
    terminal.document({ file: shown, bytes: Buffer.byteLength(text) });
    return;
  }
  terminal.err(`${shown} is written; editors find it by this line at the top of a skill file:`);
  terminal.out(`# yaml-language-server: $schema=${shown}`);
}

/** More than this is no schema of ours. */
const MAX_BYTES = 1024 * 1024;
const OUR_TITLES = new Set<unknown>(Object.values(SKILL_SCHEMAS).map((schema) => schema.title));

/** An older schema of ours is replaced. Any other file, as a skill or another schema, is somebody's work. */
async function refuseToOverwrite(path: string, shown: string): Promise<void> {
  const before = await readRegularFile(path, MAX_BYTES).catch((cause: unknown) => {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
    throw unwritable(shown, cause);
  });
  if (before === undefined || (before.kind === 'read' && isOurSchema(before.bytes.toString('utf8')))) return;
  refuse(`${shown} exists and is no schema of skill files; name another file`);
}

function isOurSchema(text: string): boolean {
  // JSON is YAML. Aliases stay unresolved, so that a file that is none of ours costs little.
  const { contents, errors } = parseDocument(text);
  return (
    errors.length === 0 && isMap(contents) && contents.has('$schema') && OUR_TITLES.has(contents.get('title'))
  );
}

function unwritable(shown: string, cause: unknown): SkillyardError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `${shown} cannot be written: ${reason}; check that its folder exists and may be written to`;
  return new SkillyardError('FILE_UNWRITABLE', message, { details: { file: shown }, cause });
}

function asYaml(schema: SkillSchema): string {
  return stringify(schema, { lineWidth: 110, singleQuote: true });
}

function refuse(message: string): never {
  throw new SkillyardError('INPUT_INVALID', message);
}
