import type {
  Buildable,
  ReferenceDefinition,
  SkillDefinition,
  StepConfig,
  TopicConfig,
} from '../definition/skill-definition.ts';
import { HOST_TOOLS } from '../primitives/host-registry.ts';
import { descriptionOf, frontMatter } from './front-matter.ts';
import { exampleParams, type Parameter, parametersOf, parameterTable } from './params-table.ts';
import { protocolSteps, type SkillProtocol } from './protocol-steps.ts';

/** So much of a prompt says what its step is about. */
const MAX_STEP_TEXT = 100;

/**
 * The SKILL.md of a skill: how an agent runs it. What the author has put in its place takes part: a text replaces what
 * stands below the front matter, or all of it when it has front matter of its own; a function gets what is written here.
 * @throws KitError SKILL_DEFINITION_INVALID if the parameters have no JSON Schema
 */
export function skillMd(definition: Buildable, protocol: SkillProtocol): string {
  const head = ['---', ...frontMatter(definition, descriptionOf(definition)), '---', ''].join('\n');
  const body = definition.kind === 'reference' ? referenceBody(definition) : skillBody(definition, protocol);
  const generated = `${head}\n${body.join('\n')}\n`;
  const own = definition.kind === 'skill' ? definition.skillMd : undefined;
  if (own === undefined) return generated;
  const text = typeof own === 'function' ? own(generated) : own;
  return ensureNewline(/^---\r?\n/.test(text) ? text : `${head}\n${text}`);
}

function skillBody(definition: SkillDefinition, protocol: SkillProtocol): string[] {
  const { name } = definition;
  const parameters = parametersOf(definition.params);
  const direct =
    definition.subskills === undefined ? '' : ' (and `subskill`, if the user asks for one by name)';
  const start = parameters.some(({ isRequired }) => isRequired) ? exampleParams(parameters) : '{}';
  return [
    `# ${name}`,
    '',
    oneLine(descriptionOf(definition)),
    '',
    '## How this skill works',
    '',
    'A program decides what is done in which order; you do the work of one step at a time. It gives you a prompt and the',
    'JSON Schema of the answer, you do what the prompt says and answer in that form, and it gives you the next prompt. Do',
    'not skip steps, do not answer for steps you were not given, and do not guess what comes next.',
    '',
    '## How to run this skill',
    '',
    '### MCP mode (preferred)',
    '',
    `If you have the tools \`mcp__${name}__start\` and \`mcp__${name}__advance\`, use them: call \`start\` with \`params\`${direct},`,
    'then `advance` with the `session`, the `step` and your answer as `output`, until `status` is `done`. Everything below about',
    'prompts and schemas holds.',
    '',
    '### CLI mode (fallback)',
    '',
    'Without these tools run `scripts/run` of this folder; `<skill>` below stands for the path of this folder. Each command',
    'exits with 0 when it has an answer. When one does not, run it again without `2>/dev/null`: it says on standard error',
    'what is wrong.',
    '',
    '### Detect your host',
    '',
    `Say with \`--host\` which agent you are: ${[...HOST_TOOLS.keys()].map((host) => `\`${host}\``).join(', ')}, or`,
    '`generic` for any other. The first prompt then tells which of your tools belongs to which of its tags.',
    '',
    '### Report your tools',
    '',
    'Say with `--tools` which tools you have, divided by commas and without blanks: `--tools Read,Bash,WebSearch`. Leave it',
    'out if you are not sure.',
    '',
    '### Subagent invocations',
    '',
    'If you are a sub-agent, add `--subagent` and report your tools: only those are then counted on.',
    '',
    '## Parameters',
    '',
    ...parameterLines(parameters),
    '',
    ...protocolSteps(protocol, start),
    '',
    '### Important',
    '',
    '- Answer with JSON that fits the schema of the prompt. If it does not, you are told what is wrong: correct it and answer',
    '  the same step again.',
    '- What stands in `<rendered>` tags is shown to the user as it is.',
    "- Put the JSON of `--output` in single quotes, and write a single quote inside it as `'\\''`.",
    '- Ask the user where a prompt says so; do not decide in their place.',
    '',
    '## Steps in this skill',
    '',
    ...Object.entries(definition.steps).map(([step, config]) => `- **${step}**: ${stepText(config)}`),
    ...subskillLines(definition),
    ...topicLines(definition.topics ?? {}),
  ];
}

function parameterLines(parameters: readonly Parameter[]): string[] {
  if (parameters.length === 0) return ['This skill takes no parameters.'];
  return [...parameterTable(parameters), '', 'Example:', '', '```json', exampleParams(parameters), '```'];
}

function stepText({ prompt }: StepConfig): string {
  return typeof prompt === 'string' ? oneLine(prompt).slice(0, MAX_STEP_TEXT) : '(dynamic)';
}

function subskillLines({ subskills = {} }: SkillDefinition): string[] {
  const entries = Object.entries(subskills);
  if (entries.length === 0) return [];
  return [
    '',
    '## Sub-skills',
    '',
    'Start as above: the first steps find out which sub-skill is wanted and lead there.',
    '',
    '### Direct sub-skill access',
    '',
    'Only if the user asks for one of them by name:',
    '',
    '```bash',
    "<skill>/scripts/run <subskill> --params '<json>' --session new",
    '<skill>/scripts/run <subskill> advance --session <id>',
    '```',
    '',
    '### Available sub-skills',
    '',
    ...entries.map(([name, { definition }]) => {
      const about = definition.description === undefined ? '' : `: ${oneLine(definition.description)}`;
      const params = parametersOf(definition.params).map(
        (one) => `\`${one.name}\` (${one.type}${one.isRequired ? ', required' : ''})`,
      );
      return `- **${name}**${about}${params.length === 0 ? '' : ` — params: ${params.join(', ')}`}`;
    }),
  ];
}

function topicLines(topics: Readonly<Record<string, TopicConfig>>): string[] {
  const entries = Object.entries(topics);
  if (entries.length === 0) return [];
  return [
    '',
    '## Reference topics',
    '',
    'Texts to read when they are wanted:',
    '',
    '```bash',
    '<skill>/scripts/run topics              # list all topics',
    '<skill>/scripts/run topic <name>         # load a specific topic',
    '```',
    '',
    ...entries.map(([name, { label }]) => `- **${name}**: ${oneLine(label)}`),
  ];
}

function referenceBody(definition: ReferenceDefinition): string[] {
  const { name, topics } = definition;
  return [
    `# ${name}`,
    '',
    oneLine(definition.description),
    '',
    'The texts of this skill are loaded one by one: read only those that you need.',
    '',
    '## MCP mode (preferred)',
    '',
    `If you have the tools \`mcp__${name}__topics\` and \`mcp__${name}__topic\`, use them: \`topics\` lists what there is, and`,
    '`topic` with a `name` gives the text.',
    '',
    '## CLI mode (fallback)',
    '',
    'Without these tools run `scripts/run topic <name>` in this folder. The topics are:',
    '',
    ...Object.entries(topics).map(([topic, { label }]) => `- \`${topic}\`: ${oneLine(label)}`),
  ];
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

function ensureNewline(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
