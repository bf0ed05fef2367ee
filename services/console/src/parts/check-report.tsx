import type { Json, JsonObject, SkillCheck } from '@skillyard/contracts';
import type { ReactNode } from 'react';
import { PreflightView } from './preflight-view.tsx';

/** What is to be said of a skill before it runs: why it is refused, what the lint rules say, what it may do. */
export function CheckReport({ check }: { check: SkillCheck }): ReactNode {
  const { accepted, diagnostics, findings, preflight } = check;
  return (
    <section aria-label="Check" className="stack">
      <p className={accepted ? 'note' : 'note bad'} role="status">
        {accepted ? <strong>✓ It would run.</strong> : <strong>✕ It is refused.</strong>}{' '}
        {findings.length === 0
          ? 'The lint rules have nothing to say.'
          : `The lint rules found ${findings.length}:`}
      </p>
      {diagnostics.length > 0 && (
        <ul className="findings">
          {diagnostics.map(({ code, message, hint = '', position }) => (
            <Line key={`${code} ${position?.line ?? 0} ${message}`} line={position?.line} code={code}>
              {message} {hint}
            </Line>
          ))}
        </ul>
      )}
      {findings.length > 0 && (
        <ul className="findings">
          {findings.map((finding) => (
            <Finding key={JSON.stringify(finding)} finding={finding} />
          ))}
        </ul>
      )}
      {preflight !== null && <PreflightView preflight={preflight} />}
    </section>
  );
}

function Finding({ finding }: { finding: JsonObject }): ReactNode {
  const { rule = '', severity = '', message = '', hint = '', line } = finding;
  return (
    <Line line={typeof line === 'number' ? line : undefined} code={`${textOf(severity)} ${textOf(rule)}`}>
      {textOf(message)} {textOf(hint)}
    </Line>
  );
}

interface LineProps {
  readonly line: number | undefined;
  readonly code: string;
  readonly children: ReactNode;
}

function Line({ line, code, children }: LineProps): ReactNode {
  return (
    <li>
      {line !== undefined && <span className="quiet">line {line} </span>}
      <span className="code">{code}</span> {children}
    </li>
  );
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : '';
}
