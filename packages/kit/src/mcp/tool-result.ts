import type { CallToolResult } from '@modelcontextprotocol/server';
import { KitError } from '../kit-error.ts';

/** A value as JSON text, for models, and as it is, for programs. */
export function jsonResult(value: object, isError = false): CallToolResult {
  const text = JSON.stringify(value);
  return {
    content: [{ type: 'text', text }],
    // As the text has it: what JSON leaves out is not in it either.
    structuredContent: JSON.parse(text) as Record<string, unknown>,
    ...(isError ? { isError } : {}),
  };
}

export function textResult(text: string, isError = false): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError ? { isError } : {}) };
}

/** Whatever a workflow threw, as a result that a model can read; the code is for programs. */
export function failedResult(error: unknown): CallToolResult {
  const message = error instanceof Error ? error.message : String(error);
  return KitError.is(error)
    ? { ...textResult(message, true), structuredContent: { code: error.code, message } }
    : textResult(message, true);
}
