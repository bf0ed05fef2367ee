import { readRegularFile } from '@skillyard/catalog';
import { type ErrorCode, ERRORS, type Json, type JsonObject, SkillyardError } from '@skillyard/contracts';
import { parse } from 'yaml';
import { compileSchema, problemsInWords } from '../json-schema/schema-check.ts';

/** One answer of a script. */
export interface ScriptEntry {
  /** Answers only instructions that contain this text. */
  readonly when?: string;
  readonly text?: string;
  /** Answers with the last line of the instruction. */
  readonly echo?: boolean;
  /** Calls to make before the answer; `args` need not be an object, to try what happens then. */
  readonly calls?: readonly { readonly tool: string; readonly args?: Json }[];
  readonly truncated?: boolean;
  readonly error?: string;
  /** The code of the error; MODEL_REFUSED when absent. */
  readonly code?: ErrorCode;
  readonly usage?: { readonly input: number; readonly output: number };
  /** Milliseconds before it answers. */
  readonly delay_ms?: number;
}

/** Answers per step name; `*` answers for the steps that are not named. */
export interface Script {
  readonly steps: Readonly<Record<string, readonly ScriptEntry[]>>;
}

const ENTRY: JsonObject = {
  type: 'object',
  properties: {
    when: { type: 'string', minLength: 1 },
    text: { type: 'string' },
    echo: { type: 'boolean' },
    calls: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        properties: { tool: { type: 'string' }, args: {} },
        required: ['tool'],
        additionalProperties: false,
      },
    },
    truncated: { type: 'boolean' },
    error: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERRORS) },
    usage: {
      type: 'object',
      properties: { input: { type: 'integer', minimum: 0 }, output: { type: 'integer', minimum: 0 } },
      required: ['input', 'output'],
      additionalProperties: false,
    },
    delay_ms: { type: 'integer', minimum: 0 },
  },
  additionalProperties: false,
};

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    steps: { type: 'object', additionalProperties: { type: 'array', minItems: 1, items: ENTRY } },
  },
  required: ['steps'],
  additionalProperties: false,
};

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads scripts of answers as one.
 * @throws SkillyardError CONFIG_INVALID when one cannot be read, is larger than 16 MiB, or has a wrong key or value, and
 *   when two of them answer the same step
 */
export async function readScripts(files: readonly string[]): Promise<Script> {
  const steps = new Map<string, readonly ScriptEntry[]>();
  const origins = new Map<string, string>();
  for (const file of files) {
    const script = await readScript(file);
    for (const [step, entries] of Object.entries(script.steps)) {
      const other = origins.get(step);
      if (other !== undefined) {
        const message = `The scripts ${other} and ${file} of a scripted model both answer the step "${step}"; leave it in one of them.`;
        throw new SkillyardError('CONFIG_INVALID', message);
      }
      origins.set(step, file);
      steps.set(step, entries);
    }
  }
  return { steps: Object.fromEntries(steps) };
}

async function readScript(path: string): Promise<Script> {
  const invalid = (why: string): SkillyardError =>
    new SkillyardError('CONFIG_INVALID', `The script ${path} of a scripted model cannot be used: ${why}.`);
  let script: unknown;
  const found = await readRegularFile(path, MAX_BYTES).catch(() => {
    throw invalid(
      'the file cannot be read; models.<name>.script is a path that starts at the configuration file',
    );
  });
  if (found.kind === 'too-large') throw invalid(`it has ${found.size}; at most ${MAX_BYTES} are read`);
  if (found.kind !== 'read') throw invalid('it is no regular file; name a file');
  try {
    script = parse(found.bytes.toString('utf8'));
  } catch (error) {
    throw invalid(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  const problems = compileSchema(SCHEMA)(script);
  if (problems.length > 0) throw invalid(problemsInWords(problems));
  return script as Script;
}
