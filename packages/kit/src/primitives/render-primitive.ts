import type { Primitive } from '../definition/prompt-piece.ts';
import { askUser } from './ask-user.ts';
import { checklist } from './checklist.ts';
import { confirm } from './confirm.ts';
import { plan } from './plan.ts';
import { subagent } from './subagent.ts';
import { survey } from './survey.ts';

/**
 * The tag of a directive as it stands in a prompt.
 * @param skillName the skill whose prompt it is; an agent is told not to use it for a part of itself
 */
export function renderPrimitive(primitive: Primitive, skillName: string): string {
  switch (primitive.kind) {
    case 'askUser':
      return askUser.render(primitive, skillName);
    case 'confirm':
      return confirm.render(primitive, skillName);
    case 'plan':
      return plan.render(primitive, skillName);
    case 'checklist':
      return checklist.render(primitive, skillName);
    case 'subagent':
      return subagent.render(primitive, skillName);
    case 'survey':
      return survey.render(primitive, skillName);
  }
}
