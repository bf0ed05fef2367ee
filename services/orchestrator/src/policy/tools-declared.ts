import { type Mode, type Skill, splitToolRef, type Workflow } from '@skillyard/engine';
import { reachOfSkill } from '@skillyard/lint';

/** A tool that a skill names. */
export interface DeclaredTool {
  /** What names it, for a message. */
  readonly by: string;
  readonly line: number;
  readonly server: string;
  /** Empty: any tool of the server. */
  readonly tool: string;
}

/** What the steps and the assets of a skill name, as it runs in a mode. */
export function toolsDeclared(skill: Skill, mode: Mode): DeclaredTool[] {
  const { workflow } = skill;
  const radius = workflow?.tools ?? [];
  const ofSteps = reachOfSkill(skill, mode).flatMap(({ step, position: { line }, tools }) =>
    tools.flatMap(({ server, tool, dynamic }) => {
      // A call whose server is only known at run time may be to any of the flow's.
      const servers = dynamic && tool !== '' ? radius : [server];
      return servers.map((one) => ({ by: `"${step}"`, line, server: one, tool }));
    }),
  );
  return mode === 'workflow' && workflow !== null ? [...ofSteps, ...ofAssets(workflow)] : ofSteps;
}

/** Assets that are read from a tool server. One whose ref is put together at run time is judged then. */
function ofAssets({ assets }: Workflow): DeclaredTool[] {
  return [...assets].flatMap(([name, { source, content, ref, position }]) => {
    if (source !== 'mcp' || content.trim() !== '' || ref.includes('{{')) return [];
    const called = splitToolRef(ref);
    return called === undefined ? [] : [{ by: `asset "${name}"`, line: position.line, ...called }];
  });
}
