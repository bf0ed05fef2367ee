import type { Buildable, SkillDefinition, StepConfig } from '../definition/skill-definition.ts';

const MAX_PROMPT_CHARACTERS = 80;

/** What a client tells its model about the server. */
export function instructionsOf(definition: Buildable): string {
  if (definition.kind === 'reference') {
    return `The reference "${definition.name}". Call \`topics\` for what there is to read, then \`topic\` with a name.`;
  }
  const isComposite = definition.subskills !== undefined;
  return [
    isComposite
      ? `The composite skill "${definition.name}": a dispatcher that leads into sub-skills.`
      : `The skill "${definition.name}": a workflow that asks for one step at a time.`,
    '',
    '1. Call `start`, with `params` if the skill has some. Keep the `session` of the reply.',
    '2. Read the `preamble`, then do what the `prompt` asks.',
    '3. Call `advance` with `session`, the `step` of the prompt and your `output`, an answer that fits `schema`.',
    '4. After `status: "error"` with `retry: true`, mend the output and call `advance` again; without it, stop or start anew.',
    '5. Repeat until `status: "done"`, and give the user the `finalOutput`.',
    '',
    ...(isComposite ? listsOf(definition) : stepsOf(definition)),
  ].join('\n');
}

function stepsOf(definition: SkillDefinition): string[] {
  return [
    'Steps:',
    ...Object.entries(definition.steps).map(([name, step]) => `- ${name}: ${summaryOf(step)}`),
  ];
}

function summaryOf({ prompt }: StepConfig): string {
  return typeof prompt === 'string'
    ? prompt.replace(/\s+/g, ' ').trim().slice(0, MAX_PROMPT_CHARACTERS)
    : '(dynamic)';
}

function listsOf({ subskills, topics }: SkillDefinition): string[] {
  const lines = [`Sub-skills: ${Object.keys(subskills ?? {}).join(', ')}`];
  return topics === undefined ? lines : [...lines, `Topics: ${Object.keys(topics).join(', ')}`];
}
