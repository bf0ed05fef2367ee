import type { Progress } from '../supervisor/supervision.ts';
import { printable } from './printable.ts';
import type { ProgramIo } from './program-io.ts';

/** Says how far a run has come: what it asks for, or how it ended. Both are progress, whatever the end is. */
export function tellProgress(progress: Progress, io: ProgramIo): void {
  if (progress.kind === 'pending') return io.stdout(printable(`${indented(progress.envelope.text)}\n`));
  const { runId, status, reason, result } = progress;
  const lines = [
    `run ${runId}: ${status}`,
    ...(reason === '' ? [] : [`reason: ${reason}`]),
    ...(result === null ? [] : [`result: ${result}`]),
  ];
  io.stdout(printable(`${lines.join('\n')}\n`));
}

/** A compact text of JSON over lines. The texts in it stay as they are. */
export function indented(text: string): string {
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[[\]{}:,]/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth += 1;
        return `${token}${line()}`;
      case '}':
      case ']':
        depth -= 1;
        return `${line()}${token}`;
      case ',':
        return `,${line()}`;
      case ':':
        return ': ';
      default:
        return token;
    }
  });
}
