import type { AgentSkill } from './agent-skill.ts';
import { splitFrontMatter } from './front-matter.ts';
import { readFields } from './read-fields.ts';
import type { SkillProblem } from './skill-problem.ts';
import { splitList } from './split-list.ts';
import { lengthProblems, nameProblems } from './standard-rules.ts';

/** A skill as its text gives it; where it stands is added by who found it. */
type SkillContent = Omit<AgentSkill, 'location' | 'file' | 'resources'>;

/** What came of reading a `SKILL.md`. */
export interface SkillReading {
  /** Null when an error stands among the problems, except that of a missing front matter: lenient loading takes it. */
  readonly content: SkillContent | null;
  readonly problems: readonly SkillProblem[];
}

/**
 * Reads the text of a `SKILL.md`.
 * @param folder its folder, which names it when the front matter does not
 */
export function readSkill(text: string, folder: string): SkillReading {
  const { frontMatter, body } = splitFrontMatter(text);
  if (frontMatter === null) {
    return { content: { ...EMPTY, name: folder, body }, problems: [noFrontMatter(text)] };
  }
  const fields = readFields(frontMatter);
  if ('code' in fields) return { content: null, problems: [fields] };
  if (fields.description === '') return { content: null, problems: [noDescription()] };
  const name = fields.name === '' ? folder : fields.name;
  const content: SkillContent = {
    name,
    description: fields.description,
    license: fields.license,
    compatibility: fields.compatibility,
    allowedTools: splitList(fields['allowed-tools']),
    agents: splitList(fields.agents),
    tags: splitList(fields.tags),
    metadata: fields.metadata,
    body,
  };
  // The loader is meant to take what others wrote: the rules of the standard are advice here.
  const advice = [...nameProblems(name, folder), ...lengthProblems(fields)];
  return { content, problems: advice.map((one) => ({ ...one, severity: 'warning' })) };
}

const EMPTY: SkillContent = {
  name: '',
  description: '',
  license: '',
  compatibility: '',
  allowedTools: [],
  agents: [],
  tags: [],
  metadata: {},
  body: '',
};

function noFrontMatter(text: string): SkillProblem {
  const hint = text.startsWith('\ufeff')
    ? 'save the file without a byte order mark: it hides the opening ---'
    : 'begin the file with --- and close the fields by a line --- of its own';
  const message = 'there is no front matter, so the skill has no description and stays out of catalogs';
  return { code: 'FRONT_MATTER_MISSING', severity: 'error', message, hint };
}

function noDescription(): SkillProblem {
  return {
    code: 'SKILL_DESCRIPTION_MISSING',
    severity: 'error',
    message: 'the front matter has no description',
    hint: 'write `description:` with what the skill does and when to use it',
  };
}
