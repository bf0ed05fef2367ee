import { type StepOf, toolsOfStep } from '@skillyard/engine';

/** A tool on a server, both known before the run. */
export interface CallTarget {
  readonly server: string;
  readonly tool: string;
}

/** What a call step calls; undefined when its server is only known at run time. */
export function callTarget(step: StepOf<'call'>): CallTarget | undefined {
  const [target] = toolsOfStep(step, []);
  if (target === undefined || target.dynamic || isComputed(target.server)) return undefined;
  return target;
}

/** Whether a name is only known at run time. */
export function isComputed(name: string): boolean {
  return name.includes('{{');
}
