import { RULES } from '@skillyard/lint';
import { EXIT } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Prints what the linter looks for, one rule a line. @returns the exit code */
export function printRules(terminal: Terminal): number {
  if (terminal.json) {
    terminal.document({ rules: RULES });
    return EXIT.completed;
  }
  const { colors } = terminal;
  const paint = { error: colors.red, warning: colors.yellow, info: colors.cyan };
  for (const { id, severity, title } of RULES) {
    terminal.out(`${id.padEnd(4)} ${paint[severity](severity.padEnd(7))} ${title}`);
  }
  return EXIT.completed;
}
