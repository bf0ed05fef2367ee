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
    ...(text === '' ? ['anything at all'] : []),
  ];
  return missing.length === 0 ? recorded : { text, missing };
}

interface StderrShape {
  /** Of an error and of a warning; null of a help text. */
  readonly prefix?: string | null;
  readonly quoted?: readonly string[];
  readonly mentions?: readonly string[];
  readonly flags?: readonly string[];
  readonly first_line_starts_with?: string;
  readonly lines?: number;
}

function isOneOf(prefix: string | null | undefined, text: string): boolean {
  return prefix === null || prefix === undefined || text.startsWith(prefix);
}

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length;
}
