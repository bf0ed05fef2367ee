/**
 * Where our SDK does other than the recorded one on purpose, and what exactly it does instead.
 *
 * Each looks at what was recorded and says by itself whether this is its case: none is bound to a name.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../is-record.ts';
import type { Difference } from '../match.ts';
import { rawDigest } from './run-digest-vectors.ts';

/** What one start of a program came to. */
interface SdkReply {
  readonly exit_code: number | null;
  readonly stdout: unknown;
  readonly stderr: string;
}

export interface Ran {
  readonly source: string;
  readonly journal: unknown;
  readonly recorded: SdkReply;
  readonly actual: SdkReply;
}

interface SdkCorrection {
  readonly why: string;
  /** Of what the reply consists: `stdout`, `stderr`. */
  readonly of: keyof SdkReply;
  readonly is: (ran: Ran) => boolean;
}

const CORRECTIONS: readonly SdkCorrection[] = [
  {
    why: 'an output that is decided stays, whatever the program catches',
    of: 'stdout',
    is: ({ source, journal, recorded, actual }) =>
      /\b(?:catch|except)\b/.test(source) &&
      !isDeepStrictEqual(recorded.stdout, actual.stdout) &&
      (isNextRequest(actual.stdout, journal) || isTrueDivergence(actual.stdout, journal)),
  },
  {
    why: 'a program that returns a promise is told that it must not',
    of: 'stderr',
    is: ({ source, actual }) => /\basync\b/.test(source) && /\basync|promise\b/i.test(actual.stderr),
  },
  {
    why: 'the names of products are ours, and reasons of the machine its own',
    of: 'stderr',
    is: ({ recorded, actual }) => {
      const names = namesIn(recorded.stderr);
      return recorded.stderr !== '' && names.every((name) => actual.stderr.includes(name));
    },
  },
];

/** @returns null when a difference is none of them */
export function sdkCorrection(found: readonly Difference[], ran: Ran): string | null {
  const reasons = new Set<string>();
  for (const { path } of found) {
    const correction = CORRECTIONS.find(({ of, is }) => new RegExp(`^${of}\\b`).test(path) && is(ran));
    if (correction === undefined) return null;
    reasons.add(correction.why);
  }
  return reasons.size === 0 ? null : [...reasons].join('; ');
}

/** What a message is about: variables, versions, and what the program itself said. */
function namesIn(stderr: string): readonly string[] {
  const said = /^yield: program error: (.*)\n$/s.exec(stderr)?.[1] ?? /^(?!yield: ).+/s.exec(stderr)?.[0];
  if (said !== undefined) return [said.trim()];
  const names = stderr.match(/YIELD_\w+|\d+\.\d+\.\d+|\bmissing\b|\bjournal\b/g) ?? [];
  return names.length > 0 ? names : ['nothing that is known to be in it'];
}

/** The first operation that the journal has no answer to, asked in its own place. */
function isNextRequest(output: unknown, journal: unknown): boolean {
  const envelope = isRecord(output) && output['type'] === 'request' ? output['envelope'] : undefined;
  if (!isRecord(envelope) || !isRecord(journal)) return false;
  const { run_id: runId, skill, sequence } = envelope;
  return (
    runId === journal['run_id'] &&
    isDeepStrictEqual(skill, journal['skill']) &&
    sequence === entriesOf(journal).length + 1
  );
}

/** The recorded operation is another one indeed, and the digest is its own. */
function isTrueDivergence(output: unknown, journal: unknown): boolean {
  const divergence = isRecord(output) && output['type'] === 'diverged' ? output['divergence'] : undefined;
  if (!isRecord(divergence)) return false;
  const { sequence, expected_digest: expected, got_digest: got } = divergence;
  const entry = entriesOf(journal)[Number(sequence) - 1];
  if (!isRecord(entry)) return false;
  return expected === rawDigest(JSON.stringify(entry['request'])) && got !== expected;
}

function entriesOf(journal: unknown): readonly unknown[] {
  const entries = isRecord(journal) ? journal['entries'] : undefined;
  return Array.isArray(entries) ? entries : [];
}
