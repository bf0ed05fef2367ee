import { isBlank, quoted } from '@skillyard/engine';
import { isFilled } from '../given.ts';
import { type FlowCheck, stepPosition, stepsOf } from '../subject.ts';
import { namesWhole } from '../whole-word.ts';

/** W12: an instruction of a step with tools of its own names a known tool and not how tools are called. */
export const checkW12: FlowCheck = ({ steps, facts, options }, report) => {
  const { callProtocol = '' } = options;
  const looked = stepsOf(steps, 'instruction').filter(
    ({ step }) => step.tools !== null && step.tools.length > 0,
  );
  if (looked.length === 0) return;
  if (isBlank(callProtocol)) report.skip('call_protocol');
  if (!isFilled(facts.allTools)) report.skip('all_tools');
  if (isBlank(callProtocol) || !isFilled(facts.allTools)) return;

  const servers = new Map(
    Object.entries(facts.allTools).flatMap(([server, tools]) => tools.map((tool) => [tool, server] as const)),
  );
  for (const { step, place, label } of looked) {
    if (step.instruction.includes(callProtocol)) continue;
    for (const [tool, server] of servers) {
      if (!namesWhole(step.instruction, tool)) continue;
      report.add({
        position: stepPosition(step, 'instruction'),
        step: place,
        message: `${label} names the tool ${quoted(tool)} and does not say that tools are called with ${callProtocol}.`,
        hint: `Write how it is called: ${callProtocol}(server=${quoted(server)}, tool=${quoted(tool)}).`,
      });
    }
  }
};
