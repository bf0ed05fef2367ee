import { readFile, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { SKILL_SCHEMAS, type SkillSchema, SkillyardError } from '@skillyard/contracts';
import type { Command } from 'commander';
import { stringify } from 'yaml';
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
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new SkillyardError('INPUT_INVALID', `${shown} cannot be written: ${reason}`, { cause });
  }
  if (terminal.json) {
    terminal.document({ file: shown, bytes: Buffer.byteLength(text) });
    return;
  }
  terminal.err(`${shown} is written; editors find it by this line at the top of a skill file:`);
  terminal.out(`# yaml-language-server: $schema=${shown}`);
}

/** An older schema is replaced. Any other file, such as a skill that was named by mistake, is somebody's work. */
async function refuseToOverwrite(path: string, shown: string): Promise<void> {
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === undefined || before.includes('https://json-schema.org/draft/')) return;
  refuse(`${shown} exists and is no schema; name another file`);
}

function asYaml(schema: SkillSchema): string {
  return stringify(schema, { lineWidth: 110, singleQuote: true });
}

function refuse(message: string): never {
  throw new SkillyardError('INPUT_INVALID', message);
}
