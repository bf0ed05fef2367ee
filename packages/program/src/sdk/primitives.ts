import type { CommandResult } from '@skillyard/contracts';
import { isOfLibrary, jsonSchemaOf, throughSchema } from './answer-schema.ts';
import type { AnswerSchema, Context, JsonSchema, Option } from './context.ts';
import type { Replay } from './replay.ts';

/** What a program sees of its replay. Functions of their own, so that a program may take the context apart. */
export function contextOf(replay: Replay): Context {
  const context = {
    input: replay.input,
    askUser(id: string, question: string, options?: readonly Option[]): string | undefined {
      const answer = replay.answerTo({
        id,
        kind: 'ask_user',
        payload: { question, options },
        output_schema: choiceOf(id, options),
      });
      return (answer as { value?: string } | null | undefined)?.value;
    },
    agentTask(
      id: string,
      instruction: string,
      data?: unknown,
      schema?: AnswerSchema | JsonSchema | null,
    ): unknown {
      const ofLibrary = isOfLibrary(schema);
      const answer = replay.answerTo({
        id,
        kind: 'agent_task',
        payload: { instruction, context: data },
        output_schema: ofLibrary ? jsonSchemaOf(schema) : schema,
      });
      return ofLibrary ? throughSchema(schema, id, answer) : answer;
    },
    runCommand(id: string, command: string, timeoutSeconds = 0): CommandResult {
      const limit = timeoutSeconds > 0 ? { timeout_seconds: timeoutSeconds } : {};
      return replay.answerTo({ id, kind: 'run_command', payload: { command, ...limit } }) as CommandResult;
    },
    require: (ok: boolean, claim: string, evidence?: unknown) => replay.require(ok, claim, evidence),
    complete: (result?: unknown) => replay.end({ status: 'completed', result }),
    blocked: (reason: string) => replay.end({ status: 'blocked', reason }),
    refused: (reason: string) => replay.end({ status: 'refused', reason }),
  };
  // The types of the answers follow from the options and the schema, which no body can show.
  return context as unknown as Context;
}

/** The key order is the protocol's: a digest is over it. */
function choiceOf(id: string, options: readonly Option[] = []): Record<string, unknown> {
  const values = options.map((option: Partial<Option>) => option.value);
  // Types say so, and not everybody has them: nobody could answer such a question.
  if (!values.every((value) => typeof value === 'string'))
    throw new TypeError(
      `the options of "${id}" are no list of objects such as { value: 'yes', label: 'Yes' }`,
    );
  const value = values.length === 0 ? { type: 'string' } : { type: 'string', enum: values };
  return { type: 'object', required: ['value'], additionalProperties: false, properties: { value } };
}
