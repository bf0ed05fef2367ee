import { headerPosition, type SkillCheck } from '../subject.ts';

const DEFAULT_BUDGET_BYTES = 12_288;

/** S5: a playbook longer than the budget. */
export const checkS5: SkillCheck = ({ skill, options }, report) => {
  const budget = options.playbookBudget || DEFAULT_BUDGET_BYTES;
  if (budget < 0) return;
  const bytes = utf8Length(skill.playbook);
  if (bytes <= budget) return;
  report.add({
    position: headerPosition(skill, 'playbook'),
    message: `The playbook is ${bytes} bytes long, ${bytes - budget} over the budget of ${budget}.`,
    hint: 'Move what is only needed sometimes into a delegate, an asset or a workflow, or raise `playbook_budget`.',
  });
};

function utf8Length(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  }
  return bytes;
}
