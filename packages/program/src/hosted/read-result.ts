import { type Answers, type Json, withoutFence } from '@skillyard/contracts';
import { compactJson } from '../protocol/json-text.ts';
import { checkResult, COMMAND_RESULT_SCHEMA } from '../supervisor/result-check.ts';

/** What an operation came to, as the compact text its program is given, or what is wrong with it. */
export type ReadResult = { readonly result: string } | { readonly problem: string };

const SHOWN_CHARS = 80;

/**
 * What a model wrote, as the result of an agent task. JSON stays as it was written: numbers are not rounded.
 * @param schema the text of the schema it has to fit; null: any text is a result
 */
export function resultOfReply(text: string, schema: string | null): ReadResult {
  if (schema === null) return { result: JSON.stringify(text) };
  let result: string;
  try {
    result = compactJson(withoutFence(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
    const problem = `it must be JSON and nothing else (${error.message}), and begins ${JSON.stringify(shown)}`;
    return { problem };
  }
  return fitting(result, schema);
}

/** What a person answered. @param schema the text of the schema it has to fit; null: anything does */
export function resultOfAnswers([value = null]: Answers, schema: string | null): ReadResult {
  return fitting(JSON.stringify({ value }), schema);
}

/** What came of a command: observed by a worker, or given by whoever looked what had happened. */
export function resultOfCommand(value: Json): ReadResult {
  return fitting(JSON.stringify(value), COMMAND_RESULT_SCHEMA);
}

function fitting(result: string, schema: string | null): ReadResult {
  const problem = schema === null ? null : checkResult(schema, result);
  return problem === null ? { result } : { problem };
}
