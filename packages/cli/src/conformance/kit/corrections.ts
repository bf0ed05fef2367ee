/**
 * Where this kit does on purpose something else than what was recorded. A folder tags the calls that show a defect of the
 * implementation it was recorded of; here is, by the tag, what the kit does instead.
 */

import type { Difference } from '../match.ts';

/** What a call came to, without its wording. Absent: the call has nothing of the kind. */
export interface Outline {
  readonly exit?: number;
  readonly failed?: boolean;
  readonly kind?: string;
  readonly step?: string;
}

interface Correction {
  readonly why: string;
  /** What of a reply may be other than recorded while its outcome is the same. Absent: nothing. */
  readonly details?: RegExp;
  /** Whether another outcome is part of it. Absent: none is. */
  readonly permits?: (recorded: Outline, actual: Outline) => boolean;
}

const becomesError = (recorded: Outline, actual: Outline): boolean => !isError(recorded) && isError(actual);
const becomesSuccess = (recorded: Outline, actual: Outline): boolean => isError(recorded) && !isError(actual);

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  D1: {
    why: 'a step that is followed by gates is not lost',
    details: /\b(?:completed|autoAdvanced|finalOutput)\b/,
  },
  D2: { why: 'a gate is counted once', details: /^session_file_lines\b.*\bprompt$/ },
  D3: { why: '--subagent is heard without a session, too', details: /\bpreamble\b/ },
  D4: { why: 'a sub-skill keeps the params it was given', details: /\bprompt$/, permits: becomesSuccess },
  D5: { why: 'an answer that was taken is not taken again', details: /^(?:stdout$|session_file_lines\b)/ },
  D6: { why: 'only the step that was asked may answer', permits: becomesError },
  D7: { why: 'a target that does not exist is an error', permits: becomesError },
  D10: { why: 'every cycle is found', details: /^stepsInCycles\b/ },
  D11: { why: 'values cannot break tags', details: /\bprompt$/ },
  D12: {
    why: 'what an action takes and gives is checked',
    details: /^(?:text|stderr)\b/,
    permits: (recorded, actual) => isError(actual) && recorded.step === actual.step,
  },
  D13: { why: 'null is stored when null is saved', details: /^(?:next_prompt|completed)\b/ },
  D16: {
    why: 'topics need no sub-skill',
    // Two more tools of an MCP server.
    details: /^\[\d+\]/,
    permits: (_, actual) => !isError(actual),
  },
  D17: { why: 'the system text is sent over MCP, too', details: /\bpreamble\b/ },
  D18: {
    why: 'MCP has every tool that is promised',
    details: /^\[\d+\]/,
    permits: (recorded, actual) =>
      becomesSuccess(recorded, actual) ||
      (recorded.kind === actual.kind && recorded.failed === actual.failed),
  },
  D19: { why: 'references are read everywhere', details: /\bprompt$/, permits: becomesSuccess },
  D21: { why: 'everyday words are no tool names', details: /^missing\b/, permits: becomesSuccess },
  D22: { why: 'the history of a sub-skill is whole', details: /^(?:path|history)\b/ },
  D23: {
    why: 'sub-skills and topics work in a development run',
    permits: (_, actual) => !isError(actual),
  },
  D24: {
    why: 'an id is an id, never a path',
    details: /^(?:stderr|victim_still_exists)\b/,
    permits: becomesError,
  },
  D25: {
    why: 'a start passes gates and keeps its preamble',
    details: /^(?:stdout|text_json)\.(?:preamble|completed|autoAdvanced|finalOutput)\b|^session_file_lines\b/,
    permits: (recorded, actual) =>
      recorded.kind === 'prompt' && (actual.kind === 'prompt' || isError(actual)),
  },
  D27: { why: 'what the types allow is not warned of', details: /^stderr/ },
  D32: { why: 'a final output that is refused leaves nothing behind' },
};

function isError(outline: Outline): boolean {
  return outline.kind === 'error' || outline.failed === true || (outline.exit ?? 0) !== 0;
}

/**
 * Why a reply that differs from the recorded one is right all the same.
 * @param ids tags of the call
 * @param differences what differs
 * @param outlines absent: there is only the one outcome
 * @returns null when it is not
 */
export function correctionOf(
  ids: readonly string[],
  differences: readonly Difference[],
  outlines?: { readonly recorded: Outline; readonly actual: Outline },
): string | null {
  const known = ids.flatMap((id) => (Object.hasOwn(CORRECTIONS, id) ? [CORRECTIONS[id] as Correction] : []));
  const { recorded = {}, actual = {} } = outlines ?? {};
  if (JSON.stringify(recorded) !== JSON.stringify(actual)) {
    return known.find(({ permits }) => permits?.(recorded, actual))?.why ?? null;
  }
  const reasons = new Set<string>();
  for (const { path } of differences) {
    const why = known.find(({ details }) => details?.test(path))?.why;
    if (why === undefined) return null;
    reasons.add(why);
  }
  return [...reasons].join('; ');
}
