import type { Json, JsonObject, QuestionOption, RequestKind } from '@skillyard/contracts';
import { ProgramError } from '../program-error.ts';
import { membersOf } from '../protocol/json-text.ts';
import { COMMAND_PAYLOAD, readCommand, type RequestedCommand } from '../protocol/read-command.ts';

/** An operation as the machine can do it. `schema` is the text of the schema of its result; null when it has none. */
export type Operation = { readonly id: string; readonly schema: string | null } & (
  | { readonly kind: 'ask_user'; readonly question: string; readonly options: readonly QuestionOption[] }
  /** `context` is a JSON text; null when there is none. */
  | { readonly kind: 'agent_task'; readonly instruction: string; readonly context: string | null }
  | ({ readonly kind: 'run_command' } & RequestedCommand)
);

/**
 * Reads the request of an operation, which has been admitted.
 * @throws ProgramError OUTPUT_INVALID when its payload is not what its kind needs
 */
export function readOperation(request: string): Operation {
  const members = new Map(membersOf(request));
  const id = JSON.parse(members.get('id') ?? '') as string;
  const kind = JSON.parse(members.get('kind') ?? '') as RequestKind;
  const payload = members.get('payload') ?? 'null';
  const schema = members.get('output_schema') ?? 'null';
  const common = { id, schema: schema === 'null' ? null : schema };
  const value = JSON.parse(payload) as Json;
  const fields = isObject(value) ? value : {};
  switch (kind) {
    case 'ask_user': {
      const { question } = fields;
      const options = readOptions(fields['options']);
      if (typeof question !== 'string' || options === null)
        throw unfit(id, kind, '{"question": text, "options"?: [{"value": text, "label"?: text}]}');
      return { ...common, kind, question, options };
    }
    case 'agent_task': {
      const { instruction } = fields;
      if (typeof instruction !== 'string')
        throw unfit(id, kind, '{"instruction": text, "context"?: anything}');
      const context = new Map(membersOf(payload)).get('context') ?? null;
      return { ...common, kind, instruction, context };
    }
    case 'run_command': {
      const command = readCommand(payload);
      if (command === null) throw unfit(id, kind, COMMAND_PAYLOAD);
      return { ...common, kind, ...command };
    }
  }
}

function readOptions(given: Json | undefined): QuestionOption[] | null {
  if (given === undefined) return [];
  if (!Array.isArray(given)) return null;
  const options = given.map((one) => (isObject(one) ? one : {}));
  const read = options.flatMap(({ value, label = value ?? null }) =>
    typeof value === 'string' && typeof label === 'string' ? [{ value, label }] : [],
  );
  return read.length === given.length ? read : null;
}

function unfit(id: string, kind: RequestKind, wanted: string): ProgramError {
  return new ProgramError(
    'OUTPUT_INVALID',
    `the payload of the operation "${id}" cannot be carried out: ${kind} needs ${wanted}`,
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
