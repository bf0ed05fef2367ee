import { type Diagnostic, formatPlace, SkillyardError } from '@skillyard/contracts';
import type { Colors, Terminal } from './terminal.ts';

/** An error as `--json` prints it. */
export interface ErrorDocument {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: SkillyardError['details'];
  };
}

/**
 * Prints an error that ended a command: what, where, what to do; with `verbose` also the stack and the causes.
 * The person reads it on `err` in any case; with `--json` the program that called gets a document on `out`.
 */
export function printError(terminal: Terminal, error: unknown, options: { verbose: boolean }): void {
  const { code, message } = describe(error);
  if (terminal.json) terminal.document(errorDocument(error));
  terminal.err(`${terminal.colors.red(`error ${code}:`)} ${message}`);
  const hint = hintOf(error, message);
  if (hint !== undefined) terminal.err(`  ${hint}`);
  if (options.verbose) terminal.err(terminal.colors.dim(stackOf(error)));
}

/** The document that `--json` prints for an error. */
export function errorDocument(error: unknown): ErrorDocument {
  const described = describe(error);
  const details =
    SkillyardError.is(error) && Object.keys(error.details).length > 0 ? error.details : undefined;
  return { error: { ...described, ...(details && { details }) } };
}

function describe(error: unknown): { code: string; message: string } {
  if (SkillyardError.is(error)) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'INTERNAL', message: message === '' ? 'an error without a message' : message };
}

function hintOf(error: unknown, message: string): string | undefined {
  if (!SkillyardError.is(error))
    return 'this is a fault of skillyard: run it again with --verbose and report what it prints';
  const hint = error.details['hint'];
  return typeof hint === 'string' && !message.includes(hint) ? hint : undefined;
}

function stackOf(error: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = error, depth = 0; current !== undefined && depth < 8; depth += 1) {
    const text = current instanceof Error ? (current.stack ?? current.message) : JSON.stringify(current);
    parts.push(depth === 0 ? text : `caused by ${text}`);
    current = current instanceof Error ? current.cause : undefined;
  }
  return parts.join('\n');
}

/** A diagnostic of a file as one line, and its hint as a second. */
export function renderDiagnostic(diagnostic: Diagnostic, colors: Colors): string {
  const paint =
    diagnostic.severity === 'error'
      ? colors.red
      : diagnostic.severity === 'warning'
        ? colors.yellow
        : colors.cyan;
  const head = `${formatPlace(diagnostic)}: ${paint(`${diagnostic.severity} ${diagnostic.code}:`)} ${diagnostic.message}`;
  return diagnostic.hint === undefined ? head : `${head}\n  ${colors.dim('hint:')} ${diagnostic.hint}`;
}
