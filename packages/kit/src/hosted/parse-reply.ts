import type { Json, JsonObject } from '@skillyard/contracts';

/** What a model wrote, read as the response of a step; `problem` says why it cannot be. */
export type ParsedReply = { readonly raw: Json } | { readonly problem: string };

/** Some models put JSON into a block, whatever they are told. */
const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/;
const SHOWN_CHARS = 80;

/** @param schema JSON Schema of the response; null: the step takes none, and whatever was written is let go */
export function parseReply(text: string, schema: JsonObject | null): ParsedReply {
  if (schema === null) return { raw: text };
  const json = FENCED.exec(text)?.[1] ?? text;
  try {
    return { raw: JSON.parse(json) as Json };
  } catch {
    if (schema['type'] === 'string') return { raw: text };
    const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}...` : text;
    return { problem: `the answer must be JSON and nothing else, and begins ${JSON.stringify(shown)}` };
  }
}
