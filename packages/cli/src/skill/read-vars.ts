import { SkillyardError } from '@skillyard/contracts';
import type { Surroundings } from '../surroundings.ts';
import { readTextFile } from './read-file.ts';

/** The options that give a turn its variables. */
export interface VarOptions {
  readonly input?: string;
  readonly inputFile?: string;
  readonly var?: readonly string[];
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/**
 * The variables a turn starts with: `--input` or `--input-file` as `input`, and each `--var name=value`.
 * @throws SkillyardError INPUT_INVALID, or FILE_UNREADABLE for the input file
 */
export async function readVars(
  options: VarOptions,
  surroundings: Surroundings,
): Promise<Record<string, string>> {
  const vars = new Map<string, string>();
  if (options.input !== undefined && options.inputFile !== undefined) {
    throw new SkillyardError('INPUT_INVALID', 'both --input and --input-file are given; keep one of them');
  }
  if (options.input !== undefined) vars.set('input', options.input);
  if (options.inputFile !== undefined) vars.set('input', await readInput(options.inputFile, surroundings));
  for (const text of options.var ?? []) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(at, 0));
    if (at < 0) throw invalidVar(text, 'it has no `=`');
    if (!NAME.test(name)) throw invalidVar(text, `"${name}" is no variable name`);
    if (vars.has(name)) throw invalidVar(text, `${name} is given twice`);
    vars.set(name, text.slice(at + 1));
  }
  return Object.fromEntries(vars);
}

function invalidVar(text: string, reason: string): SkillyardError {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return new SkillyardError(
    'INPUT_INVALID',
    `--var ${JSON.stringify(shown)}: ${reason}; write --var name=value`,
  );
}

/**
 * Reads a text that the user names.
 * @param file `-` for standard input
 * @throws SkillyardError FILE_UNREADABLE, INPUT_INVALID beyond 64 MiB
 */
export async function readInput(file: string, surroundings: Surroundings): Promise<string> {
  if (file !== '-') {
    return readTextFile(file, {
      cwd: surroundings.cwd,
      what: 'input',
      limit: MAX_INPUT_BYTES,
      tooLarge: 'INPUT_INVALID',
    });
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of surroundings.stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > MAX_INPUT_BYTES) {
      throw new SkillyardError(
        'INPUT_INVALID',
        `standard input gave more than ${MAX_INPUT_BYTES} bytes; pass less`,
      );
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
