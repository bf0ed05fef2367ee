import type { Position } from '@skillyard/contracts';
import { quoted } from '@skillyard/engine';
import { callTarget, isComputed } from '../call-target.ts';
import { BUILTIN, isGiven } from '../given.ts';
import { hasIncludes, headerServers } from '../header-servers.ts';
import { listed } from '../listed.ts';
import {
  type FlowCheck,
  type FlowSubject,
  headerPosition,
  type PlacedStep,
  stepPosition,
} from '../subject.ts';

/** W2: a server that the workflow uses and the header does not declare, or that nobody has registered. */
export const checkW2: FlowCheck = (subject, report) => {
  const { skill, facts } = subject;
  const declared = headerServers(skill);
  const isOpen = hasIncludes(skill);
  const registered = new Set(facts.serverNames);
  for (const [server, use] of serversInUse(subject)) {
    if (!declared.has(server)) {
      if (isOpen) continue;
      report.add({
        ...use,
        message: `${use.who} uses the server ${quoted(server)}, which the header does not declare.`,
        hint: `Add ${quoted(server)} to \`servers\`, or name one that is declared${declared.size > 0 ? `: ${listed(declared.keys())}` : ''}.`,
      });
    } else if (!isGiven(facts.serverNames)) {
      report.skip('server_names');
    } else if (!registered.has(server)) {
      report.add({
        ...use,
        message: `${use.who} uses the server ${quoted(server)}, which is not registered.`,
        hint: `Register it, or name one that is: ${listed(registered)}.`,
      });
    }
  }
};

interface Use {
  readonly position: Position;
  readonly step?: string;
  readonly who: string;
}

/** The servers that are used anywhere, each with its first use. `builtin` and computed names are left alone. */
function serversInUse({ skill, workflow, steps }: FlowSubject): ReadonlyMap<string, Use> {
  const uses = new Map<string, Use>();
  const add = (server: string, use: () => Use): void => {
    if (server !== '' && server !== BUILTIN && !isComputed(server) && !uses.has(server))
      uses.set(server, use());
  };
  const flow: Use = {
    position: headerPosition(skill, 'workflow.tools'),
    who: 'The list `tools` of the workflow',
  };
  for (const server of workflow.tools ?? []) add(server, () => flow);
  for (const placed of steps) {
    for (const [server, key] of serversOf(placed)) {
      const { step, place, label } = placed;
      add(server, () => ({ position: stepPosition(step, key), step: place, who: label }));
    }
  }
  return uses;
}

function serversOf({ step }: PlacedStep): readonly (readonly [server: string, key: string])[] {
  if (step.kind === 'call') {
    const server = callTarget(step)?.server ?? '';
    return [[server, step.onServer === '' ? 'call.tool' : 'on_server']];
  }
  if (step.kind !== 'instruction') return [];
  const own = (step.tools ?? []).map((server) => [server, 'tools'] as const);
  return [...own, [step.onServer, 'on_server']];
}
