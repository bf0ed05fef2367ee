import type { Handshake, References } from '../definition/skill-definition.ts';
import type { RunOptions } from '../workflow/run-contract.ts';
import type { ModelAdapter } from './mock-model.ts';

export interface TestRunOptions {
  readonly params?: unknown;
  readonly model: ModelAdapter;
  /** The name of a host, or more of what it says of itself. */
  readonly host?: string | Partial<Handshake>;
  /** Absent: every reference is empty. */
  readonly refs?: References;
  /** Rejected answers to one prompt after which the model is asked again; 0 when absent. */
  readonly retries?: number;
}

const EMPTY_REFERENCES: References = { load: () => '', asset: (path) => path };

export function runOptionsOf({ params, host, refs }: TestRunOptions): RunOptions {
  return {
    ...(params !== undefined && { params }),
    ...(host !== undefined && { handshake: typeof host === 'string' ? { host } : host }),
    references: refs ?? EMPTY_REFERENCES,
  };
}
