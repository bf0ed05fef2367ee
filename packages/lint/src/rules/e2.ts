import { isBlank, quoted } from '@skillyard/engine';
import { entryOf, isFilled } from '../given.ts';
import { listed } from '../listed.ts';
import { PlaybookPlaces } from '../playbook-place.ts';
import type { SkillCheck } from '../subject.ts';

/** E2: the playbook writes out a call of a tool that its server lacks. Servers without a list are left alone. */
export const checkE2: SkillCheck = (subject, report) => {
  const { skill, facts, options } = subject;
  const { callProtocol = '' } = options;
  if (isBlank(skill.playbook)) return;
  if (isBlank(callProtocol)) {
    report.skip('call_protocol');
    return;
  }
  const places = new PlaybookPlaces(subject);
  for (const { text, server, tool } of writtenCalls(skill.playbook, callProtocol)) {
    if (!isFilled(facts.allTools)) {
      report.skip('all_tools');
      return;
    }
    if (report.isFull()) return;
    const tools = entryOf(facts.allTools, server);
    if (tools === undefined || tools.includes(tool)) continue;
    report.add({
      position: places.next(text),
      message: `The playbook calls the tool ${quoted(tool)} of the server ${quoted(server)}, which has no such tool.`,
      hint: `Name one that it has: ${listed(tools)}.`,
    });
  }
};

interface WrittenCall {
  readonly text: string;
  readonly server: string;
  readonly tool: string;
}

const ARGUMENTS = /\(\s*server\s*=\s*"([^"\n]*)"\s*,\s*tool\s*=\s*"([^"\n]*)"/y;

/** The calls a text writes out with the word of the protocol. */
function* writtenCalls(text: string, protocol: string): Generator<WrittenCall> {
  for (let at = text.indexOf(protocol); at >= 0; at = text.indexOf(protocol, at + protocol.length)) {
    if (/\w/.test(text.charAt(at - 1))) continue;
    ARGUMENTS.lastIndex = at + protocol.length;
    const match = ARGUMENTS.exec(text);
    if (match === null) continue;
    yield { text: protocol + match[0], server: match[1] ?? '', tool: match[2] ?? '' };
  }
}
