import type { Json, JsonObject, ToolReply, TurnJob } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { TextBlock } from './text-block.tsx';

/**
 * One round of a conversation with a model: what it was told, what it asked for, what it said. The history cuts long
 * values, so nothing of their shape is taken for granted.
 */
export function GenerationView({ job }: { job: TurnJob }): ReactNode {
  const { system, instruction, replies, round, ...settings } = job.input;
  const isFirst = round === 0 || round === undefined;
  const answered = Array.isArray(replies) ? (replies as unknown as Partial<ToolReply>[]) : [];
  return (
    <>
      {isFirst && typeof system === 'string' && <TextBlock title="System" text={system} />}
      {isFirst && <TextBlock title="Instruction" text={textOf(instruction)} />}
      {!isFirst && <p className="quiet">{`Round ${Number(round) + 1} of the conversation`}</p>}
      {answered.map(({ callId = '', tool = '', text = '', failed }) => (
        <TextBlock key={callId} title={`${tool} ${failed === true ? 'failed' : 'answered'}`} text={text} />
      ))}
      {job.calls.map((call, index) => (
        <TextBlock
          key={textOf(call['callId']) || index}
          title={`Asked for ${textOf(call['server'])}:${textOf(call['tool'])}`}
          text={`${JSON.stringify(call['args'] ?? {}, null, 2)}${refusalOf(call)}`}
        />
      ))}
      {(job.output !== '' || job.calls.length === 0) && <TextBlock title="Answer" text={job.output} />}
      <details>
        <summary>Settings of the generation</summary>
        <TextBlock title="Settings" text={JSON.stringify(settings, null, 2)} />
      </details>
    </>
  );
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function refusalOf(call: JsonObject): string {
  return typeof call['refused'] === 'string' ? `\nrefused: ${call['refused']}` : '';
}
