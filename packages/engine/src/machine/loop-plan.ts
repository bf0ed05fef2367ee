import type { LoopPlan } from '@skillyard/contracts';
import type { ForEachCode } from './program.ts';
import type { TurnSettings } from './records.ts';

/**
 * Decides how a loop is walked, and says why.
 *
 * A loop fans out by itself only where nobody could tell: its body is independent, no exit can cut it short, and under
 * `on_error: abort` nothing in it has an effect that an iteration after the failing one would have caused early.
 */
export function planLoop(step: ForEachCode, settings: TurnSettings): LoopPlan {
  const { analysis } = step;
  if (settings.fanOut === 'off') return inOrder('fan-out is switched off');
  if (analysis.shared !== null) {
    return inOrder(`one iteration writes "${analysis.shared}" and another may read it`);
  }
  if (step.concurrency > 0) return { concurrency: step.concurrency, reason: 'the skill declares it' };
  if (!analysis.outside) return inOrder('the body asks for nothing outside');
  if (analysis.exits) return inOrder('the body may exit');
  const seen = step.onError === 'abort' ? earlyEffect(step, settings) : undefined;
  if (seen !== undefined) return inOrder(`under on_error: abort an early start could be seen: ${seen}`);
  return { concurrency: Math.max(1, settings.window), reason: 'the iterations are independent' };
}

function inOrder(reason: string): LoopPlan {
  return { concurrency: 1, reason };
}

/** The first effect in the body that must not happen early; undefined when everything may be repeated. */
function earlyEffect(step: ForEachCode, settings: TurnSettings): string | undefined {
  const { effects } = settings;
  const repeatable = (name: string): boolean => effects[name] === 'read' || effects[name] === 'idempotent';
  if (step.analysis.delegates) return 'it delegates to another skill';
  for (const call of step.analysis.calls) {
    const tool = `${call.server}:${call.tool}`;
    if (call.server === '') return `it calls "${call.tool}" on a server chosen at run time`;
    if (effects[tool] === 'once' || !(repeatable(tool) || repeatable(call.server)))
      return `it calls "${tool}"`;
  }
  for (const server of step.analysis.modelServers) {
    if (server === '') return 'a model step uses a server chosen at run time';
    const exceptions = Object.keys(effects).some(
      (name) => name.startsWith(`${server}:`) && effects[name] === 'once',
    );
    if (exceptions || !repeatable(server)) return `a model step may call tools of "${server}"`;
  }
  return undefined;
}
