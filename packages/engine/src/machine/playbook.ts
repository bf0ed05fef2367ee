/**
 * A playbook as a program: one model step for the whole turn. The playbook is what the model is told, the variables of
 * the turn are what it is asked, the header of the skill bounds what it may call. Everything else is the tool loop of any
 * other model step.
 */
import { isBlank } from '../flow/white-space.ts';
import type { Skill } from '../format/ast.ts';
import { type InstructionCode, type Program, programSources } from './program.ts';

/** What messages and the trace call the one step. */
const STEP = 'playbook';
/**
 * A playbook is a whole turn, so the ceilings are not those of a step (8 and 2): turns of prose make two to three times
 * as many calls as that, and would be cut off in the middle of ordinary work.
 */
const MAX_CALLS = 32;
const MAX_TOOL_ERRORS = 8;
const ACTIVATE_SKILL = 'builtin:activate_skill';

/**
 * Compiles the playbook of a validated skill. Templates in it stay as they are: it is prose, not a step's text.
 * @throws RangeError if the skill has no playbook; callers resolve the mode first
 */
export function compilePlaybook(skill: Skill): Program {
  if (isBlank(skill.playbook)) throw new RangeError(`skill "${skill.name}" has no playbook to compile`);
  const tools = playbookTools(skill);
  const sources = programSources(skill.sources, skill.servers.length === 0);
  const step: InstructionCode = {
    kind: 'instruction',
    name: STEP,
    label: STEP,
    traceName: STEP,
    when: null,
    onError: 'abort',
    saveAs: '',
    onEmpty: 'continue',
    onEmptyValue: null,
    system: skill.playbook,
    text: null,
    onServer: null,
    tools: sources?.alone === true ? null : tools,
    model: '',
    sampling: skill.temperature === null ? null : { temperature: skill.temperature },
    responseSchema: null,
    oneOf: null,
    maxCalls: MAX_CALLS,
    maxToolErrors: MAX_TOOL_ERRORS,
    onEmptyRetries: 0,
    timeoutMs: 0,
  };
  return {
    kind: 'flow',
    name: skill.name,
    tools,
    sources,
    vars: new Map(),
    assets: new Map(),
    limits: null,
    lists: [[step]],
  };
}

/**
 * The radius of a playbook: the servers of the header, the built-in tools that it names, and the one by which a model
 * takes up an agent skill. That one is there only where an operator has provided skills, and does nothing but read them.
 */
function playbookTools({ servers, builtinTools }: Skill): string[] {
  return [...new Set([...servers, ...builtinTools.map((tool) => `builtin:${tool}`), ACTIVATE_SKILL])];
}
