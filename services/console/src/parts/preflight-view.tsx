import type { JsonObject } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { tokensText } from '../text/tokens.ts';
import { Fact } from './fact.tsx';

/** What a skill may do, as `skillyard check --json` says it; what is shown of it. */
interface Preflight {
  readonly reach: readonly {
    readonly step: string;
    readonly tools: readonly {
      readonly server: string;
      readonly tool: string;
      readonly dynamic: boolean;
      readonly writes: boolean;
    }[];
  }[];
  readonly worst: {
    readonly generations: number;
    readonly calls: number;
    readonly delegations: number;
    readonly questions: number;
  };
  readonly envelope: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cost: number | null;
  };
}

/** The most that a turn of a skill can reach and use. */
export function PreflightView({ preflight }: { preflight: JsonObject }): ReactNode {
  const { reach, worst, envelope } = preflight as unknown as Preflight;
  const reaching = reach.filter(({ tools }) => tools.length > 0);
  return (
    <>
      <h3>What it may do at most</h3>
      <dl className="facts">
        <Fact name="Generations">{worst.generations}</Fact>
        <Fact name="Calls">{worst.calls}</Fact>
        <Fact name="Delegations">{worst.delegations}</Fact>
        <Fact name="Questions">{worst.questions}</Fact>
        <Fact name="Tokens">{tokensText(envelope)}</Fact>
        <Fact name="Cost">{envelope.cost === null ? 'a model has no price' : envelope.cost.toFixed(2)}</Fact>
      </dl>
      {reaching.length === 0 ? (
        <p className="quiet">No step reaches a tool.</p>
      ) : (
        <ul className="findings">
          {reaching.map(({ step, tools }) => (
            <li key={step}>
              <strong>{step}</strong>{' '}
              {tools.map((tool) => `${nameOf(tool)}${tool.writes ? ' (may write)' : ''}`).join(', ')}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function nameOf({ server, tool, dynamic }: Preflight['reach'][number]['tools'][number]): string {
  const where = server === '' ? 'any server' : server;
  return `${where}:${tool === '' ? '*' : tool}${dynamic ? ' chosen as it runs' : ''}`;
}
