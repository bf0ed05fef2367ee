import type { Json, JsonObject, WorkingMemory } from '@skillyard/contracts';
import type { ToolAnswer } from '../tools/tool-server.ts';
import type { BuiltinTool } from './builtin-server.ts';

const DEFAULT_LIMIT = 4000;
const HIGHEST_LIMIT = 16_000;

/** `builtin:memory_read`: pages through a value of working memory, so that a model can read what it was shown the beginning of. */
export function memoryRead(memory: WorkingMemory): BuiltinTool {
  return {
    listed: {
      name: 'memory_read',
      description:
        'Reads a large value, page by page. A note such as [mem:m-abc — 52 kB, …] below a text says that only its beginning is shown; give its handle (m-abc) here. The first line of the answer says where the page stands and which offset comes next.',
      inputSchema: {
        type: 'object',
        properties: {
          handle: { type: 'string', minLength: 1, description: 'The id behind `mem:`.' },
          offset: { type: 'integer', minimum: 0, description: 'Characters to skip; 0 when absent.' },
          limit: {
            type: 'integer',
            minimum: 1,
            maximum: HIGHEST_LIMIT,
            description: `Characters to read; ${DEFAULT_LIMIT} when absent.`,
          },
        },
        required: ['handle'],
        additionalProperties: false,
      },
      readOnlyHint: true,
      idempotentHint: true,
    },
    run: async (args, { turnId }) => {
      const handle = bareHandle(args['handle']);
      const value = await memory.get(turnId, handle);
      if (value.found) return page(value.text, args);
      return {
        failed: true,
        text:
          value.gone ??
          `there is no value under the handle ${handle}; take it from a [mem:…] note of this turn`,
      };
    },
  };
}

/** Models copy the note as a whole as often as the handle. */
function bareHandle(written: Json | undefined): string {
  const text = typeof written === 'string' ? written.trim() : '';
  return /(?:\[?mem:)?([\w-]+)/.exec(text)?.[1] ?? text;
}

function page(text: string, args: JsonObject): ToolAnswer {
  const total = text.length;
  const offset = numberOr(args['offset'], 0);
  if (offset >= total && offset > 0) {
    return { failed: true, text: `offset ${offset} is past the end: the value has ${total} characters` };
  }
  const start = wholeCharacter(text, offset);
  const end = wholeCharacter(text, Math.min(total, start + numberOr(args['limit'], DEFAULT_LIMIT)));
  const next = end < total ? `read on with offset ${end}` : 'this is the end';
  return {
    failed: false,
    text: `Characters ${start} to ${end} of ${total}; ${next}.\n${text.slice(start, end)}`,
  };
}

const numberOr = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

/** Moves a place that would part a pair of surrogates behind it. */
function wholeCharacter(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  const followsHigh = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
  return isLow && followsHigh ? at + 1 : at;
}
