import type { ChecklistConfig } from '../definition/skill-definition.ts';
import { escapeAttribute, escapeText } from './escape-markup.ts';
import type { PrimitiveKind } from './primitive-kind.ts';

/** Hosts that make a task with one tool and change it with another. */
const UPDATE_TOOLS: ReadonlyMap<string, string> = new Map([
  ['TaskCreate', 'TaskUpdate'],
  ['tracker-create-task', 'tracker-update-task'],
]);

/** Tasks that the agent keeps track of while it works. */
export const checklist: PrimitiveKind<ChecklistConfig> = {
  tag: 'checklist',
  tools: ['TaskCreate', 'tracker-create-task', 'write-todos', 'todo', 'update_todo_list'],
  render: ({ create }) => {
    const items = create.map(
      (item) => `  <item status="${escapeAttribute(item.status)}">${escapeText(item.title)}</item>`,
    );
    return `<checklist>\n${items.join('\n')}\n</checklist>`;
  },
  howToUse: (tool) => {
    if (tool === null) {
      return 'Keep the `<item>` children as a checklist that the user can see, and mark each when its status changes.';
    }
    const update = UPDATE_TOOLS.get(tool);
    return update === undefined
      ? `Register the \`<item>\` children with ${tool}, and call it again when the status of one changes.`
      : `Register each \`<item>\` child with ${tool}; tell changes of its status with ${update} as you work.`;
  },
};
