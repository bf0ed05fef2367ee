import type { Answers, Json, Question } from '@skillyard/contracts';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { escapeAttribute, escapeText } from '../primitives/escape-markup.ts';

/** How a model reads the prompts of a skill that the platform runs. People have been asked before it is. */
const READING = `You carry out a skill, one step at a time. Each message is one step, made of tagged parts:

- \`<prompt>\`: what to do.
- \`<system>\`: the point of view to take.
- \`<rendered>\`: text that is ready. Use it as it is; do not write it anew.
- \`<checklist>\`: the state of the work, for your information.
- \`<subagent>\`: a task to do yourself, apart from the rest.
- \`<ask-user>\`, \`<confirm>\`, \`<plan>\`, \`<survey>\`: what people were asked. Do not ask again: \`<answers>\` has what they said.
- \`<request>\`: what the skill was called for.

Answer with the result of the step and nothing else. Where JSON is wanted, it must fit the schema that is given.`;

/** What a model is told before the steps of a skill, or of the sub-skill that a step belongs to. */
export function systemText(definition: SkillDefinition, step: string): string {
  const at = step.indexOf('/');
  const inner = at < 0 ? undefined : definition.subskills?.[step.slice(0, at)]?.definition;
  const own = [definition.system, inner?.system].filter((text) => text !== undefined && text !== '');
  return [...own, READING].join('\n\n');
}

/** The first instruction of a turn also says what the turn is about. */
export function withRequest(instruction: string, request: string): string {
  return request.trim() === ''
    ? instruction
    : `<request>\n${escapeText(request)}\n</request>\n\n${instruction}`;
}

/** A prompt, with what people answered to it. */
export function withAnswers(instruction: string, questions: readonly Question[], answers: Answers): string {
  const lines = questions.map(({ text }, index) => {
    return `  <answer question="${escapeAttribute(text)}">${escapeText(inWords(answers[index] ?? null))}</answer>`;
  });
  return `${instruction}\n\n<answers>\n${lines.join('\n')}\n</answers>`;
}

function inWords(answer: Json): string {
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return typeof answer === 'string' ? answer : JSON.stringify(answer);
}

/** Asks for another answer to the step before, which the model still has in its conversation. */
export function refusedText(message: string): string {
  return `<prompt>\nThat answer cannot be taken: ${escapeText(message)}\nAnswer the step before again, whole, and nothing else.\n</prompt>`;
}
