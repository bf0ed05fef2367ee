import { nestedLists, type Step, type Workflow } from './ast.ts';

/** A tool that a flow may call. */
export interface DeclaredTool {
  /** Empty when it is only known at run time and nothing narrows it. */
  readonly server: string;
  /** Empty: any tool of the server, which a model chooses. */
  readonly tool: string;
  /** The server is computed at run time: permission must cover the whole flow's list. */
  readonly dynamic: boolean;
}

/**
 * What a flow may reach, step by step in document order, so that a refusal is known before the first generation
 * instead of halfway through. Equal entries are not joined.
 */
export function declaredTools(workflow: Workflow): readonly DeclaredTool[] {
  return toolsOfSteps(workflow.steps, workflow.tools ?? []);
}

function toolsOfSteps(steps: readonly Step[], flowTools: readonly string[]): DeclaredTool[] {
  return steps.flatMap((step) => [
    ...toolsOfStep(step, flowTools),
    ...nestedLists(step).flatMap((list) => toolsOfSteps(list, flowTools)),
  ]);
}

/**
 * What one step may reach itself.
 * @param flowTools the list of the flow, which bounds that of the step
 */
export function toolsOfStep(step: Step, flowTools: readonly string[]): readonly DeclaredTool[] {
  if (step.kind === 'call') {
    const dynamic = isComputed(step.onServer);
    const server = step.onServer === '' || dynamic ? step.server : step.onServer;
    return [{ server, tool: step.tool, dynamic }];
  }
  if (step.kind !== 'instruction') return [];
  const dynamic = isComputed(step.onServer);
  if (step.onServer !== '' && !dynamic) return [{ server: step.onServer, tool: '', dynamic: false }];
  // A step narrows the flow's list and never widens it (spec section 8).
  const servers = step.tools === null ? flowTools : step.tools.filter((server) => flowTools.includes(server));
  return servers.map((server) => ({ server, tool: '', dynamic }));
}

function isComputed(server: string): boolean {
  return server.includes('{{');
}
