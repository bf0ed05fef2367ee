/** Skills to measure with. */
import { compileProgram, loadSkill, type Program } from '@skillyard/engine';

const HEADER = 'skill_engine_version: "2.4.0"\nname: bench\ndescription: Measured, not used.\n';

/** Compiles a workflow given as the YAML below `workflow:`. */
export function programOf(workflow: string): Program {
  const loaded = loadSkill(skillText(workflow));
  if (loaded.skill === null)
    throw new Error(loaded.diagnostics.map((diagnostic) => diagnostic.message).join('\n'));
  return compileProgram(loaded.skill);
}

export function skillText(workflow: string): string {
  return `${HEADER}workflow:\n${workflow.replace(/^/gm, '  ')}\n`;
}

/** A flow of `count` steps that are all written alike. */
export function flat(count: number, step: (index: number) => string, head = ''): string {
  const steps = Array.from({ length: count }, (_, index) => `  - ${step(index)}`);
  return `${head}steps:\n${steps.join('\n')}`;
}

/** Branches, a loop and a fork around instructions, calls and sets. */
export const NESTED = `tools: [srv]
vars: {rows: "1\\n2\\n3\\n4\\n5\\n6\\n7\\n8"}
steps:
  - {name: ask, instruction: "About {{input}}", save_as: about}
  - name: way
    if:
      cond: about is not empty
      then:
        - {name: get, call: {tool: "srv:get", args: {q: "{{about}}"}, save_as: got}}
        - {name: keep, set: {var: kept, value: "{{got}}"}}
  - name: each
    for_each:
      in: rows
      as: row
      collect: lines
      on_error: continue
      steps:
        - {name: look, call: {tool: "srv:get", args: {row: "{{row}}"}, save_as: found}}
        - {name: line, set: {var: lines, value: "{{row}}: {{found}}"}}
  - name: fan
    parallel:
      collect: all
      branches:
        - [{name: left, instruction: "L {{lines}}", save_as: l}]
        - [{name: right, instruction: "R {{lines}}", save_as: r}]
  - {name: tell, instruction: "Tell {{all}}"}`;

/** A skill of so many steps: an instruction, a call and a branch in turn. */
export function mixedSkill(steps: number): string {
  return skillText(
    flat(
      steps,
      (i) =>
        i % 3 === 0
          ? `{name: s${i}, when: "input contains a | b", instruction: "Say {{input}} and {{v${i}}}", save_as: v${i}}`
          : i % 3 === 1
            ? `{name: s${i}, call: {tool: "srv:get", args: {q: "{{input}}", n: ${i}}, save_as: v${i}}}`
            : `{name: s${i}, if: {cond: "v${i - 1} is empty", then: [{set: {var: x, value: none}}]}}`,
      'tools: [srv]\n',
    ),
  );
}
