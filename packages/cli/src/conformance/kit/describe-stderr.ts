import { isRecord } from '../../is-record.ts';
import { unnamed } from './compare-recorded.ts';

/**
 * What was printed on stderr, in the words of the recording where it fits them: its wording is its author's.
 * @param recorded null when nothing was printed
 * @returns the recording itself when the text fits it
 */
export function describeStderr(recorded: unknown, text: string): unknown {
  if (!isRecord(recorded)) return text === '' ? null : text;
  const wants = recorded as StderrShape;
  const missing = [
    ...unnamed(
      { quoted: wants.quoted ?? [], mentions: wants.mentions ?? [], flags: wants.flags ?? [] },
      text,
    ),
    ...(isOneOf(wants.prefix, text) ? [] : [`the beginning "${wants.prefix ?? ''}"`]),
    ...(text.startsWith(wants.first_line_starts_with ?? '') ? [] : [wants.first_line_starts_with ?? '']),
    ...(wants.lines === undefined || wants.lines === lineCount(text) ? [] : [`${wants.lines} line`]),
    ...(isOfKind(wants, text) ? [] : ['what its kind has']),
    ...(text === '' ? ['anything at all'] : []),
  ];
  return missing.length === 0 ? recorded : { text, missing };
}

interface StderrShape {
  /** Of an error and of a warning; null of a help text. */
  readonly prefix?: string | null;
  /** `help`, `error` or `other`. */
  readonly kind?: string;
  readonly help?: boolean;
  readonly quoted?: readonly string[];
  readonly mentions?: readonly string[];
  readonly flags?: readonly string[];
  readonly first_line_starts_with?: string;
  readonly lines?: number;
}

function isOneOf(prefix: string | null | undefined, text: string): boolean {
  return prefix === null || prefix === undefined || text.startsWith(prefix);
}

function isOfKind({ kind, help }: StderrShape, text: string): boolean {
  const isHelp = !text.startsWith('error: ') && /^Usage: /m.test(text) && lineCount(text) > 1;
  if (help !== undefined && help !== isHelp) return false;
  switch (kind) {
    case undefined:
      return true;
    case 'help':
      return isHelp;
    case 'error':
      return text.startsWith('error: ');
    default:
      return kind === 'other' && !isHelp && !text.startsWith('error: ');
  }
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
