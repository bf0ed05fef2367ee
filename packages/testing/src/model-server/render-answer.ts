import type { GoodAnswer, ModelProtocol } from './model-answer.ts';

/** The body of a good answer in the wire format of a protocol. `serial` makes the ids of this answer its own. */
export function renderAnswer(protocol: ModelProtocol, answer: GoodAnswer, serial: number): object {
  switch (protocol) {
    case 'chat':
      return chatCompletion(answer, serial);
    case 'responses':
      return response(answer, serial);
    case 'messages':
      return message(answer, serial);
  }
}

const DEFAULT_USAGE = { inputTokens: 11, outputTokens: 7 };

/** Arguments travel as text here; a text given by the test goes out as it is, broken or not. */
const asText = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args));

function chatCompletion(answer: GoodAnswer, serial: number): object {
  const usage = answer.usage ?? DEFAULT_USAGE;
  const calls = answer.calls ?? [];
  const finishReason = answer.truncated === true ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  return {
    id: `chatcmpl-${serial}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'double',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(calls.length > 0 && {
            tool_calls: calls.map((call, index) => ({
              id: `call_${serial}_${index}`,
              type: 'function',
              function: { name: call.name, arguments: asText(call.args) },
            })),
          }),
        },
        finish_reason: finishReason,
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  };
}

function response(answer: GoodAnswer, serial: number): object {
  const usage = answer.usage ?? DEFAULT_USAGE;
  return {
    id: `resp_${serial}`,
    created_at: 1_700_000_000,
    model: 'double',
    status: answer.truncated === true ? 'incomplete' : 'completed',
    ...(answer.truncated === true && { incomplete_details: { reason: 'max_output_tokens' } }),
    output: [
      ...(answer.text === undefined
        ? []
        : [
            {
              type: 'message',
              role: 'assistant',
              id: `msg_${serial}`,
              content: [{ type: 'output_text', text: answer.text, annotations: [] }],
            },
          ]),
      ...(answer.calls ?? []).map((call, index) => ({
        type: 'function_call',
        id: `fc_${serial}_${index}`,
        call_id: `call_${serial}_${index}`,
        name: call.name,
        arguments: asText(call.args),
      })),
    ],
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}

function message(answer: GoodAnswer, serial: number): object {
  const usage = answer.usage ?? DEFAULT_USAGE;
  const calls = answer.calls ?? [];
  return {
    type: 'message',
    id: `msg_${serial}`,
    role: 'assistant',
    model: 'double',
    content: [
      ...(answer.text === undefined ? [] : [{ type: 'text', text: answer.text }]),
      ...calls.map((call, index) => ({
        type: 'tool_use',
        id: `call_${serial}_${index}`,
        name: call.name,
        input: call.args,
      })),
    ],
    stop_reason: answer.truncated === true ? 'max_tokens' : calls.length > 0 ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
  };
}
