import { askUser } from './ask-user.ts';
import { checklist } from './checklist.ts';
import { confirm } from './confirm.ts';
import { plan } from './plan.ts';
import type { PrimitiveKind } from './primitive-kind.ts';
import { subagent } from './subagent.ts';
import { survey } from './survey.ts';

/** What a preamble says of a kind, whatever its configs are. */
export type DescribedKind = Pick<PrimitiveKind<never>, 'tag' | 'tools' | 'howToUse'>;

/** Every kind of primitive, in the order of the preamble. */
export const PRIMITIVE_KINDS: readonly DescribedKind[] = [
  askUser,
  confirm,
  plan,
  checklist,
  subagent,
  survey,
];
