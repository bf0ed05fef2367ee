import { type Json, SkillyardError } from '@skillyard/contracts';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesHint } from '../near-names.ts';
import { type AssistantPart, FINAL_REQUEST, type Message } from './message.ts';
import type { Generation, GenerationRequest, ModelClient, WrittenCall } from './model-client.ts';
import { readScripts, type Script, type ScriptEntry } from './script-file.ts';

/**
 * A model that answers from a YAML file, for examples and tests: no network, no chance.
 *
 * ```yaml
 * steps:
 *   find:                                   # the name of the step; `*` for all that are not named
 *     - calls: [{tool: "shop:search", args: {word: rye}}]
 *     - text: "Found one."                  # after the call came back
 *   judge:
 *     - {when: "rye", text: "keep"}         # only for instructions that contain `rye`
 *     - {text: "drop"}
 *   broken:
 *     - {error: "no credit left"}
 *   long:
 *     - {truncated: true, text: "It began"}
 *   parrot:
 *     - {echo: true}                        # the last line of the instruction
 * ```
 *
 * Which entry answers depends on the job alone, never on what was asked before, so that loops may fan out and
 * workers may share the work: of the entries whose `when` stands in the instruction (those of the first such `when`;
 * else those without one), generation n takes the n-th. n counts the rounds of the tool loop and the attempts of
 * `on_empty: retry`, and in a skill whose flow is code all generations of the step; the last entry repeats.
 */
export class ScriptedClient implements ModelClient {
  readonly #files: readonly string[];
  #script: Promise<Script> | undefined;

  /** @param files its scripts; each step is answered by one of them */
  constructor(files: readonly string[]) {
    this.#files = files;
  }

  async generate(request: GenerationRequest): Promise<Generation> {
    this.#script ??= readScripts(this.#files);
    const script = await this.#script;
    const entry = this.#pick(script, request);
    if (entry.delay_ms !== undefined) await sleep(entry.delay_ms, undefined, { signal: request.signal });
    if (entry.error !== undefined) {
      throw new SkillyardError(
        entry.code ?? 'MODEL_REFUSED',
        `The script has an error for the step "${request.step}": ${entry.error}.`,
      );
    }
    return answerOf(entry, request);
  }

  #pick(script: Script, request: GenerationRequest): ScriptEntry {
    const { step } = request;
    const entries = Object.hasOwn(script.steps, step) ? script.steps[step] : script.steps['*'];
    const instruction = instructionOf(request.messages);
    const matching = entriesFor(entries ?? [], instruction);
    const entry = matching[Math.min(nthOf(request), matching.length - 1)];
    if (entry !== undefined) return entry;
    const why =
      entries === undefined
        ? `nothing for the step "${step}". ${namesHint(step, Object.keys(script.steps), 'steps of the script')}`
        : `no entry for the step "${step}" whose when: is in the instruction, and none without one.`;
    throw new SkillyardError('MODEL_REFUSED', `The script ${this.#files.join(', ')} has ${why}`);
  }
}

function entriesFor(entries: readonly ScriptEntry[], instruction: string): readonly ScriptEntry[] {
  const first = entries.find((entry) => entry.when !== undefined && instruction.includes(entry.when));
  return entries.filter((entry) => entry.when === first?.when);
}

/** Which generation of its step this is. */
function nthOf({ ofStep, round, conversation }: GenerationRequest): number {
  return ofStep ?? round + attemptOf(conversation);
}

/** The attempt is the number behind the last `g` of a conversation's id. */
function attemptOf(conversation: string): number {
  return Number(/g(\d+)$/.exec(conversation)?.[1] ?? 0);
}

function instructionOf(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'user' && message.text !== FINAL_REQUEST);
  return last?.role === 'user' ? last.text : '';
}

function answerOf(entry: ScriptEntry, request: GenerationRequest): Generation {
  const text = entry.echo === true ? lastLine(instructionOf(request.messages)) : (entry.text ?? '');
  const calls = (entry.calls ?? []).map((call, index): WrittenCall => {
    const offered = request.tools.find((tool) => `${tool.server}:${tool.tool}` === call.tool);
    const args: Json = call.args ?? {};
    return { callId: `call-${request.round}-${index}`, name: offered?.name ?? call.tool, args };
  });
  const said: AssistantPart[] = text === '' ? [] : [{ type: 'text', text }];
  return {
    text,
    calls,
    parts: [...said, ...calls.map((call): AssistantPart => ({ type: 'call', ...call }))],
    finish: entry.truncated === true ? 'length' : 'done',
    warnings: [],
    ...(entry.usage !== undefined && {
      usage: { inputTokens: entry.usage.input, outputTokens: entry.usage.output },
    }),
  };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
