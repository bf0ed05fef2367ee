import type { StepFinished } from '@skillyard/contracts';
import type { Colors } from './terminal.ts';

/** An outcome in its colour. */
export function paintOutcome(
  outcome: StepFinished['outcome'],
  colors: Colors,
  text: string = outcome,
): string {
  switch (outcome) {
    case 'ok':
      return colors.green(text);
    case 'degraded':
    case 'truncated':
      return colors.yellow(text);
    case 'denied':
    case 'error':
      return colors.red(text);
    case 'exit':
      return colors.cyan(text);
    case 'skipped':
      return colors.dim(text);
  }
}
