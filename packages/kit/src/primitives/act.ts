import type { ActSegment, Primitive } from '../definition/prompt-piece.ts';
import type { Act } from '../definition/skill-definition.ts';
import { askUser } from './ask-user.ts';
import { checklist } from './checklist.ts';
import { confirm } from './confirm.ts';
import { plan } from './plan.ts';
import type { PrimitiveKind } from './primitive-kind.ts';
import { subagent } from './subagent.ts';
import { survey } from './survey.ts';

/**
 * Makes the directives of prompts. The same object is exported to authors and given to their prompt functions.
 * Every method throws a KitError SKILL_DEFINITION_INVALID for what no host could carry out.
 */
export const act: Act = Object.freeze<Act>({
  askUser: (config) => segmentOf(askUser, config, { kind: 'askUser', ...config }),
  confirm: (config) => segmentOf(confirm, config, { kind: 'confirm', ...config }),
  plan: (config) => segmentOf(plan, config, { kind: 'plan', ...config }),
  checklist: (config) => segmentOf(checklist, config, { kind: 'checklist', ...config }),
  subagent: (config) => segmentOf(subagent, config, { kind: 'subagent', ...config }),
  survey: (questions) => segmentOf(survey, { questions }, { kind: 'survey', questions }),
});

function segmentOf<Config>(kind: PrimitiveKind<Config>, config: Config, primitive: Primitive): ActSegment {
  kind.check?.(config);
  return Object.freeze({ kind: 'act', primitive: Object.freeze(primitive) });
}
