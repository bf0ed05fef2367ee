/** The lines of a session file: one JSON object a line, the header first. */
import type { WorkflowResult } from '../workflow/result.ts';

/** Who began a session, and with what. Key order is the order in which it is written. */
export interface SessionHeader {
  readonly type: 'header';
  readonly sessionId: string;
  readonly skill: string;
  readonly host: string;
  /** Absent when none were reported. */
  readonly tools?: readonly string[];
  readonly isSubagent?: true;
  /** As they were given, before defaults. */
  readonly params: unknown;
  readonly createdAt: string;
  /** `file`: the agent appends its answers to the file itself; anything else: it passes them as flags. */
  readonly outputMode: string;
}

/** An answer of the agent. */
export interface OutputLine {
  readonly type: 'output';
  readonly step: string;
  readonly output: unknown;
}

/** A result of the workflow, or a prompt-less step that was passed on the way to it. */
export type ResultLine = { readonly type: WorkflowResult['kind'] } & WorkflowResult;

export type SessionLine = SessionHeader | OutputLine | ResultLine;

export function isHeaderLine(line: SessionLine): line is SessionHeader {
  return line.type === 'header';
}

export function isOutputLine(line: SessionLine): line is OutputLine {
  return line.type === 'output';
}

const RESULT_TYPES: ReadonlySet<unknown> = new Set(['prompt', 'done', 'error', 'redirect']);

export function isResultLine(line: SessionLine): line is ResultLine {
  return RESULT_TYPES.has(line.type);
}

/** One line of text as a line of a session; null for what is none. */
export function parseSessionLine(text: string): SessionLine | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const line = value as SessionLine;
  if (line.type === 'header' || RESULT_TYPES.has(line.type)) return line;
  return line.type === 'output' && typeof line.step === 'string' && Object.hasOwn(line, 'output')
    ? line
    : null;
}
