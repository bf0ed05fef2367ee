import type { PlanConfig } from '../definition/skill-definition.ts';
import { escapeAttribute, escapeText } from './escape-markup.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

/** A plan that the person approves or changes before anything is done. */
export const plan: PrimitiveKind<PlanConfig> = {
  tag: 'plan',
  tools: ['EnterPlanMode', 'enter-plan-mode', 'update_plan', 'plan', 'PLAN_MODE'],
  render: ({ summary, steps }) =>
    `<plan summary="${escapeAttribute(summary)}">\n` +
    `${steps.map((step) => `  <step>${escapeText(step)}</step>`).join('\n')}\n</plan>`,
  howToUse: (tool) =>
    tool === null
      ? 'Show the summary and the `<step>` children as a numbered list, ask whether to go on or what to change, and wait. ' +
        'Do none of it before the user agrees.'
      : `Put the summary and the \`<step>\` children before the user with ${tool}. Do none of it before the user agrees; ` +
        'what they want changed goes into the answer.',
};
