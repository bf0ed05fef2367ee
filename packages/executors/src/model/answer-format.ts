import {
  type GenerateJob,
  type Json,
  type JsonObject,
  SkillyardError,
  withoutFence,
} from '@skillyard/contracts';
import { compileSchema, problemsInWords } from '../json-schema/schema-check.ts';

/** How the answer of a step must look, and what becomes of it. */
export interface AnswerFormat {
  /** The schema the endpoint enforces; absent when it enforces none. */
  readonly schema?: JsonObject;
  /** What the model is told when the endpoint cannot enforce the schema in this round. */
  readonly system?: string;
  /**
   * The text the step stores.
   * @throws SkillyardError MODEL_ANSWER_INVALID when the answer does not fit
   */
  read(answer: string): string;
}

const PLAIN: AnswerFormat = { read: (answer) => answer };
const LONGEST_EXCERPT = 120;

/**
 * Chooses the format of a step's answer.
 * @param structured whether the endpoint enforces a schema while it decodes
 * @param offersTools whether the model may call tools in this round
 * @param schemaForbidsCalls whether enforcing a schema would keep the model from calling a tool, as it does where the
 *   whole output is decoded under the schema (vLLM, Ollama, llama.cpp)
 * @throws SkillyardError MODEL_NOT_STRUCTURED when the step has a schema and the model cannot be held to it
 */
export function answerFormat(
  job: Pick<GenerateJob, 'responseSchema' | 'oneOf' | 'step'>,
  model: string,
  options: { structured: boolean; offersTools: boolean; schemaForbidsCalls: boolean },
): AnswerFormat {
  const { responseSchema, oneOf, step } = job;
  const where = `step "${step === '' ? 'unnamed' : step}"`;
  if (responseSchema !== null) {
    if (!options.structured) {
      throw new SkillyardError(
        'MODEL_NOT_STRUCTURED',
        `The ${where} has a response_schema, and the model "${model}" is not marked structured_output: true. Mark it if its endpoint enforces JSON Schemas, or give the step another model.`,
      );
    }
    const read = readBySchema(responseSchema, model, where);
    if (options.offersTools && options.schemaForbidsCalls) return { read, system: promptFor(responseSchema) };
    return { schema: responseSchema, read };
  }
  if (oneOf !== null && oneOf.length > 0 && options.structured && !options.offersTools) {
    return { schema: choiceSchema(oneOf), read: readChoice };
  }
  return PLAIN;
}

function readBySchema(schema: JsonObject, model: string, where: string): AnswerFormat['read'] {
  let check: ReturnType<typeof compileSchema>;
  try {
    check = compileSchema(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SkillyardError(
      'SKILL_INVALID',
      `The response_schema of ${where} is no valid JSON Schema: ${reason}.`,
    );
  }
  return (answer) => {
    const text = withoutFence(answer);
    let value: Json;
    try {
      value = JSON.parse(text) as Json;
    } catch {
      throw invalid(model, where, 'it is not JSON', text);
    }
    const problems = check(value);
    if (problems.length > 0) throw invalid(model, where, problemsInWords(problems), text);
    return text;
  };
}

function invalid(model: string, where: string, why: string, text: string): SkillyardError {
  const excerpt = text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
  return new SkillyardError(
    'MODEL_ANSWER_INVALID',
    `The answer of the model "${model}" does not fit the response_schema of ${where}: ${why}. It began: ${JSON.stringify(excerpt)}`,
  );
}

const promptFor = (schema: JsonObject): string =>
  `When you give your final answer, give nothing but one JSON value that fits this JSON Schema, without a code fence:\n${JSON.stringify(schema)}`;

const choiceSchema = (values: readonly string[]): JsonObject => ({
  type: 'object',
  properties: { answer: { type: 'string', enum: [...values] } },
  required: ['answer'],
  additionalProperties: false,
});

/** The bare value out of the object the choice was asked for in; any other text is left to the engine's own rules. */
function readChoice(answer: string): string {
  try {
    const value = JSON.parse(withoutFence(answer)) as Json;
    const chosen =
      typeof value === 'object' && value !== null && !Array.isArray(value) ? value['answer'] : undefined;
    return typeof chosen === 'string' ? chosen : answer;
  } catch {
    return answer;
  }
}
