import type { Skill } from '../format/ast.ts';
import { type CodeCode, type Program, programSources } from './program.ts';

/**
 * Compiles the code of a validated skill.
 * @throws RangeError if the skill has no code; callers resolve the mode first
 */
export function compileCode(skill: Skill): Program {
  const { code, name, servers } = skill;
  if (code === null) throw new RangeError(`skill "${name}" has no code to compile`);
  const step: CodeCode = {
    kind: 'code',
    name,
    label: name,
    traceName: name,
    when: null,
    onError: 'abort',
    saveAs: '',
    ref: code.ref,
  };
  return {
    kind: 'flow',
    name,
    tools: servers,
    sources: programSources(skill.sources, servers.length === 0),
    vars: new Map(),
    assets: new Map(),
    limits: code.limits,
    lists: [[step]],
  };
}
