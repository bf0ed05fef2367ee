import { quoted } from '@skillyard/engine';
import { callTarget } from '../call-target.ts';
import { BUILTIN, entryOf, isFilled } from '../given.ts';
import { listed } from '../listed.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';

/** W3: a call of a tool that its server lacks, once for each pair. Servers without a list are left alone. */
export const checkW3: FlowCheck = ({ steps, facts }, report) => {
  const reported = new Set<string>();
  for (const { step, place, label } of stepsOf(steps, 'call')) {
    const target = callTarget(step);
    if (target === undefined) continue;
    const { server, tool } = target;
    if (!isFilled(facts.allTools)) {
      // What the built-in tools are is another fact (W15).
      if (server !== BUILTIN) report.skip('all_tools');
      continue;
    }
    const tools = entryOf(facts.allTools, server);
    const pair = `${server}:${tool}`;
    if (tools === undefined || tools.includes(tool) || reported.has(pair)) continue;
    reported.add(pair);
    report.add({
      position: stepPosition(step, 'call.tool'),
      step: place,
      message: `${label} calls the tool ${quoted(tool)} of the server ${quoted(server)}, which has no such tool.`,
      hint: `Name one that it has: ${listed(tools)}.`,
    });
  }
};
