import { HOST_TOOLS } from '../primitives/host-registry.ts';

/** Names that only a tool of some host has. */
const DISTINCT = [
  'AskUserQuestion',
  'EnterPlanMode',
  'ExitPlanMode',
  'TaskCreate',
  'TaskUpdate',
  'TodoWrite',
  'apply_patch',
  'update_plan',
  'request_user_input',
  'spawn_agent',
  'ToolRequestUserInput',
  'CollabAgent',
  'ask-user',
  'enter-plan-mode',
  'exit-plan-mode',
  'write-todos',
  'tracker-create-task',
  'tracker-update-task',
  'ask_followup_question',
  'update_todo_list',
  'PLAN_MODE',
  'ACT_MODE',
  'USE_SUBAGENTS',
  'new_task',
];

/** Names that are words of everyday prose, too: they count only as code or beside the word "tool". */
const EVERYDAY = ['Agent', 'question', 'todo', 'task', 'plan'];

/** No letter, digit or hyphen beside it, and no `<`: that is a tag of a prompt, not a tool. */
const whole = (name: string): string => String.raw`(?<![\w<-]|<\/)${name}(?![\w-])`;

const PATTERNS: ReadonlyArray<readonly [string, RegExp]> = [
  ...DISTINCT.map((name) => [name, new RegExp(whole(name))] as const),
  ...EVERYDAY.map((name) => {
    const asCode = `\`${name}\``;
    const beside = String.raw`${whole(name)}["'*]*\s+tool\b|\btool\s+(?:called\s+|named\s+)?["'*]*${whole(name)}`;
    return [name, new RegExp(`${asCode}|${beside}`)] as const;
  }),
];

/** The names of hosts' tools that a text uses, each once. */
export function hostToolNamesIn(text: string): string[] {
  return PATTERNS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
}

/** The names that code asks for by `toolsAvailable.includes('...')`, each once. */
export function askedToolNames(code: string): string[] {
  const names = [...code.matchAll(/\btoolsAvailable\s*\??\.\s*includes\(\s*(["'`])(.*?)\1/g)];
  return [...new Set(names.map((match) => match[2] ?? ''))];
}

/** Whether some host has a tool of that name. What a tool server brings is known to nobody beforehand. */
export function isKnownTool(name: string): boolean {
  return name.startsWith('mcp__') || KNOWN.has(name);
}

const KNOWN = new Set([...HOST_TOOLS.values()].flat());
