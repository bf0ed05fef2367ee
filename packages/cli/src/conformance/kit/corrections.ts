/**
 * Where this kit does on purpose something else than what was recorded. A folder tags the calls that show a defect of the
 * implementation it was recorded of; here is, by the tag, what the kit does instead. Each correction accepts exactly what
 * it brings about: anything else that differs in a tagged call is a failure as in any other.
 */
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../is-record.ts';
import type { Difference } from '../match.ts';
import { compareRecorded } from './compare-recorded.ts';
import {
  differingWords,
  isInsertion,
  isNullInstead,
  isThinned,
  listAt,
  resultAt,
  textAt,
  unescaped,
  valueAt,
} from './correction-checks.ts';

/** What a call came to, without its wording. Absent: the call has nothing of the kind. */
export interface Outline {
  readonly exit?: number;
  readonly failed?: boolean;
  readonly kind?: string;
  readonly step?: string;
}

/** One recorded reply and ours. */
export interface Reply {
  readonly recorded: unknown;
  readonly actual: unknown;
  /** Absent: there is no other outcome than the recorded one. */
  readonly outlines?: { readonly recorded: Outline; readonly actual: Outline };
}

interface Found {
  readonly path: string;
  /** undefined: nothing was recorded there, or there is nothing. */
  readonly recorded: unknown;
  readonly actual: unknown;
}

interface Outcome {
  /** Whether another outcome is the correction. */
  readonly is: (reply: Required<Reply>) => boolean;
  /** What of the reply follows from the outcome. Absent: all of it. */
  readonly replaces?: RegExp;
}

interface Correction {
  readonly why: string;
  /** Whether the correction brings this difference about while the outcome is the same. */
  readonly explains?: (found: Found, reply: Reply) => boolean;
  readonly outcomes?: readonly Outcome[];
}

/** What a prompt-less step was asked with. */
const EMPTY_PROMPT = '<prompt>\n\n</prompt>';
const NOT_ASKED = /is not asked for now|is not the current step/;
/** Names of tools that are words of everyday prose. */
const EVERYDAY = new Set(['Agent', 'question', 'todo', 'task', 'plan']);
const SKILL_MD_BODY = /^(?:headings|parameters_table|step_list|subskill_list|topic_list|command_lines)\b/;

/** Records that were lost: what stood in their place is one of the gates that were passed. */
const keepsRecords = ({ path }: Found, reply: Reply): boolean => {
  const { key, recorded, actual } = resultAt(reply, path);
  const gates = listAt(actual, 'autoAdvanced');
  const isGate = (value: unknown): boolean => gates.some((gate) => compareRecorded(value, gate).length === 0);
  if (key === 'completed') return isGate(recorded['completed']);
  if (key === 'finalOutput') return isDeepStrictEqual(recorded['finalOutput'], {}) && gates.length > 0;
  const known = listAt(recorded, 'autoAdvanced');
  return key === 'autoAdvanced' && known.length < gates.length && known.every(isGate);
};

const sendsSystem = ({ path, recorded, actual }: Found): boolean =>
  (/\bpreamble\.(?:leading_system|separator_after_system)$/.test(path) && recorded === null) ||
  (/\bpreamble$/.test(path) && recorded === undefined && typeof actual === 'string');

const isPromptOf = ({ path }: Found): boolean => /\bprompt$/.test(path);
const exits = ({ recorded, actual }: Required<Reply>['outlines'], from: number, to: number): boolean =>
  recorded.exit === from && actual.exit === to;

/** A command that failed without a result, and now has one. */
const succeeds: Outcome = {
  is: ({ recorded, actual, outlines }) =>
    exits(outlines, 1, 0) &&
    !isHelp(recorded) &&
    textAt(recorded, 'stdout') === '' &&
    textAt(actual, 'stdout') !== '',
};

const asksForAnother: Outcome = {
  is: ({ actual, outlines }) =>
    outlines.recorded.kind === 'prompt' &&
    outlines.actual.kind === 'error' &&
    NOT_ASKED.test(JSON.stringify(actual)),
};

/** A word of the command line that only showed the help. */
const knowsWord: Outcome = {
  is: ({ recorded, actual, outlines }) => {
    const said = valueAt(actual, 'stdout');
    return exits(outlines, 0, 0) && isHelp(recorded) && textAt(recorded, 'stdout') === '' && said !== '';
  },
  replaces: /^(?:stdout|stderr)\b/,
};

/** A redirect that leaked, or was refused, is followed. */
const followsRedirect: Outcome = {
  is: ({ recorded, actual, outlines }) => {
    const { redirect } = resultAt({ recorded, actual }, 'stdout.kind').recorded;
    const refused = JSON.stringify(valueAt(valueAt(recorded, 'text_json'), 'message') ?? '');
    const came = ['stdout', 'text_json'].map((key) => valueAt(actual, key)).find(isRecord) ?? {};
    const topic = textAt(valueAt(came, 'finalOutput'), 'topic');
    const target =
      outlines.actual.kind === 'done'
        ? `topic:${topic}`
        : `subskill:${textAt(came, 'step').split('/', 1)[0] ?? ''}`;
    const isAsked = redirect === target && outlines.recorded.kind === 'redirect';
    const isRefused = outlines.recorded.kind === 'error' && refused.includes(JSON.stringify(target));
    return outlines.actual.exit === outlines.recorded.exit && (isAsked || isRefused);
  },
  replaces:
    /^(?:stdout|text_json)\.(?:kind|status|redirect|store|done|finalOutput|step|message|retry|prompt|preamble|schema)\b/,
};

const CORRECTIONS: Readonly<Record<string, Correction>> = {
  D1: { why: 'a step that is followed by gates is not lost', explains: keepsRecords },
  D2: {
    why: 'a gate is counted once',
    explains: (found) =>
      isPromptOf(found) &&
      differingWords(found.recorded, found.actual).some(
        ([more, less]) => Number.parseInt(more, 10) > Number.parseInt(less, 10),
      ),
  },
  D3: {
    why: '--subagent is heard without a session, too',
    explains: ({ path, recorded, actual }) =>
      /\bpreamble\.rows\[\d+\]\.tool$/.test(path) && /^[\w-]+$/.test(String(recorded)) && actual === '—',
  },
  D4: {
    why: 'a sub-skill keeps the params it was given',
    explains: (found) => {
      const words = differingWords(found.recorded, found.actual);
      return isPromptOf(found) && words.filter(([word]) => !/^\d/.test(word)).length === 1;
    },
    outcomes: [succeeds],
  },
  D5: {
    why: 'an answer that was taken is not taken again',
    explains: ({ path }, { recorded, actual }) =>
      /^(?:stdout$|session_file_lines\b)/.test(path) && isThinned(recorded, actual),
  },
  D6: { why: 'only the step that was asked may answer', outcomes: [asksForAnother] },
  D7: {
    why: 'a target that does not exist is an error',
    outcomes: [
      {
        is: ({ recorded, actual, outlines }) => {
          const { redirect } = resultAt({ recorded, actual }, 'stdout.kind').recorded;
          const said = JSON.stringify(valueAt(actual, 'stderr') ?? '');
          return exits(outlines, 0, 1) && typeof redirect === 'string' && said.includes(redirect);
        },
      },
    ],
  },
  D8: {
    why: 'maxVisits counts the step that declares it',
    outcomes: [
      {
        is: ({ outlines }) => outlines.recorded.kind === 'prompt' && outlines.actual.kind === 'prompt',
        replaces: /\.(?:step|prompt|schema)\b/,
      },
    ],
  },
  D10: {
    why: 'every cycle is found',
    explains: ({ path }, { recorded, actual }) =>
      path.startsWith('stepsInCycles') &&
      listAt(recorded, 'stepsInCycles').every((step) => listAt(actual, 'stepsInCycles').includes(step)),
  },
  D11: {
    why: 'values cannot break tags',
    explains: (found) => isPromptOf(found) && unescaped(found.actual) === unescaped(found.recorded),
  },
  D12: {
    why: 'what an action takes and gives is checked',
    explains: ({ path, recorded, actual }) =>
      path === 'text' && typeof recorded === 'string' && String(actual).includes(recorded),
    outcomes: [
      {
        is: ({ actual, outlines }) =>
          ['prompt', 'done'].includes(outlines.recorded.kind ?? '') &&
          (outlines.recorded.exit ?? 0) === 0 &&
          /\baction\b/i.test(JSON.stringify(actual)) &&
          (outlines.actual.exit === 1 || outlines.actual.failed === true),
      },
    ],
  },
  D13: {
    why: 'null is stored when null is saved',
    explains: ({ path, recorded, actual }) => path === 'next_prompt' && isNullInstead(recorded, actual),
  },
  D15: {
    why: 'the author may write SKILL.md',
    explains: ({ path }) => SKILL_MD_BODY.test(path),
  },
  D16: {
    why: 'topics need no sub-skill',
    explains: ({ path, recorded }) => /^topics?$/.test(path) && recorded === undefined,
    outcomes: [knowsWord, followsRedirect],
  },
  D17: { why: 'the system text is sent over MCP, too', explains: sendsSystem },
  D18: {
    why: 'MCP has every tool that is promised',
    explains: ({ path, recorded, actual }) =>
      recorded === undefined && (path === 'topics' || actual === 'subskill: string'),
    outcomes: [
      {
        is: ({ recorded, actual }) =>
          textAt(recorded, 'text').includes('topics not found') &&
          listAt(valueAt(actual, 'text_json'), 'topics').length > 0,
        replaces: /^(?:isError|text|text_json)$/,
      },
      {
        is: ({ outlines }) =>
          outlines.recorded.kind === 'prompt' &&
          outlines.actual.kind === 'prompt' &&
          outlines.recorded.step?.includes('/') === false &&
          outlines.actual.step?.includes('/') === true,
        replaces: /^text_json\.(?:step|prompt|schema|preamble\.(?:leading_system|separator_after_system))\b/,
      },
      {
        // After a start in a sub-skill the dispatcher is not there to answer.
        is: ({ actual, outlines }) =>
          outlines.recorded.kind === 'error' &&
          outlines.actual.kind === 'error' &&
          NOT_ASKED.test(JSON.stringify(actual)),
        replaces: /^text_json\.(?:step|message)\b/,
      },
    ],
  },
  D19: {
    why: 'references are read everywhere',
    explains: ({ path, recorded, actual }) =>
      /\b(?:prompt|content)$/.test(path) && isInsertion(recorded, actual),
    outcomes: [succeeds],
  },
  D20: {
    why: 'the version stands in all that is built',
    explains: ({ path }, { recorded, actual }) =>
      path === 'serverInfo.version' ||
      (path.startsWith('frontmatter') &&
        isDeepStrictEqual(
          listAt(recorded, 'frontmatter').filter(isNoVersion),
          listAt(actual, 'frontmatter').filter(isNoVersion),
        )),
  },
  D21: {
    why: 'everyday words are no tool names',
    explains: ({ path, actual }) =>
      path === 'exit_code' ||
      path === 'summary' ||
      (/^missing\b/.test(path) &&
        (textAt(actual, 'rule') === 'primitive-schema-mismatch' ||
          EVERYDAY.has(String(listAt(actual, 'quoted').at(-1))))),
    outcomes: [{ is: ({ outlines }) => exits(outlines, 1, 0), replaces: /^exit_code$/ }],
  },
  D22: {
    why: 'the history of a sub-skill is whole',
    explains: ({ path }, { recorded, actual }) => {
      const responses = listAt(actual, 'history').map((entry) => valueAt(entry, 'response'));
      const isKnown = (entry: unknown): boolean =>
        responses.some((response) => isDeepStrictEqual(response, valueAt(entry, 'response')));
      return /^(?:path|history)\b/.test(path) && listAt(recorded, 'history').every(isKnown);
    },
  },
  D23: {
    why: 'sub-skills and topics work in a development run',
    outcomes: [knowsWord, followsRedirect],
  },
  D24: {
    why: 'an id is an id, never a path',
    explains: ({ path, recorded, actual }) =>
      (path === 'stderr' && recorded === null && /is no session id/.test(String(actual))) ||
      (path === 'victim_still_exists' && recorded === false && actual === true),
  },
  D25: {
    why: 'a start passes gates and keeps its preamble',
    explains: (found, reply) => {
      const { key, recorded } = resultAt(reply, found.path);
      const isMoved = found.actual === undefined && recorded['prompt'] === EMPTY_PROMPT;
      return (
        (key === 'preamble' && (isMoved || found.recorded === undefined)) ||
        sendsSystem(found) ||
        keepsRecords(found, reply) ||
        (key === 'finalOutput' && isDeepStrictEqual(recorded['finalOutput'], {}))
      );
    },
    outcomes: [
      {
        is: ({ recorded, outlines }) =>
          valueAt(valueAt(recorded, 'text_json'), 'prompt') === EMPTY_PROMPT &&
          outlines.recorded.kind === 'prompt' &&
          outlines.actual.kind === 'prompt',
        replaces: /^text_json\.(?:step|prompt|schema|preamble\.(?:leading_system|separator_after_system))\b/,
      },
      asksForAnother,
    ],
  },
  D27: {
    why: 'what the types allow is not warned of',
    explains: ({ path, recorded: count, actual: now }, { recorded, actual }) =>
      (path === 'stderr_warnings' && count === 1 && now === 0) ||
      (path.startsWith('stderr.') &&
        textAt(valueAt(recorded, 'stderr'), 'prefix') === '[skill-kit] ' &&
        textAt(valueAt(actual, 'stderr'), 'text') === ''),
  },
  D28: {
    why: 'an answer never lacks its contract',
    explains: ({ path, recorded, actual }) => /\bschema$/.test(path) && recorded === null && isRecord(actual),
    outcomes: [{ is: ({ actual }) => /cannot be written as JSON Schema/.test(JSON.stringify(actual)) }],
  },
  D32: { why: 'a final output that is refused leaves nothing behind' },
  /** No tag of an index, as what follows: the function of an author that threw is named before what it said. */
  thrown: {
    why: 'what the code of an author throws is told with its place',
    explains: ({ path, recorded, actual }, reply) =>
      (path === 'throws' || (path === 'text' && valueAt(reply.actual, 'isError') === true)) &&
      typeof recorded === 'string' &&
      String(actual).endsWith(`: ${recorded}`),
  },
  /** A rendered block of code is whole whatever is in it. */
  fence: {
    why: 'a fence is longer than those in its text',
    explains: ({ path, recorded, actual }) =>
      path === 'output' &&
      typeof recorded === 'string' &&
      typeof actual === 'string' &&
      actual.replace(/^`{4,}/, '```').replace(/`{4,}$/, '```') === recorded,
  },
};

function isHelp(reply: unknown): boolean {
  const stderr = valueAt(reply, 'stderr');
  return valueAt(stderr, 'help') === true || valueAt(stderr, 'kind') === 'help';
}

function isNoVersion(line: unknown): boolean {
  return line !== 'metadata:' && !/^ {2}version: /.test(String(line));
}

/**
 * Why a reply that differs from the recorded one is right all the same.
 * @param ids tags of the call
 * @param differences what differs
 * @returns null when it is not
 */
export function correctionOf(
  ids: readonly string[],
  differences: readonly Difference[],
  reply: Reply,
): string | null {
  const known = ids.flatMap((id) => (Object.hasOwn(CORRECTIONS, id) ? [CORRECTIONS[id] as Correction] : []));
  const reasons = new Set<string>();
  const replaced = outcomeOf(known, reply);
  if (replaced === null) return null;
  if (replaced !== undefined) reasons.add(replaced.why);
  for (const difference of differences) {
    if (replaced !== undefined && (replaced.replaces?.test(difference.path) ?? true)) continue;
    const found = {
      path: difference.path,
      recorded: parsed(difference.expected),
      actual: parsed(difference.actual),
    };
    // A prompt can differ for several reasons at once: each has to name its part, and D2 and D4 do not know each other's.
    const why = known.find(({ explains }) => explains?.(found, reply))?.why;
    if (why === undefined) return null;
    reasons.add(why);
  }
  return [...reasons].join('; ');
}

/** undefined: the outcome is the recorded one; null: it is another, and no correction. */
function outcomeOf(
  known: readonly Correction[],
  { recorded, actual, outlines }: Reply,
): { readonly why: string; readonly replaces?: RegExp } | null | undefined {
  if (outlines === undefined || isDeepStrictEqual(outlines.recorded, outlines.actual)) return undefined;
  for (const { why, outcomes = [] } of known) {
    const found = outcomes.find(({ is }) => is({ recorded, actual, outlines }));
    if (found !== undefined) return { why, ...found };
  }
  return null;
}

function parsed(shown: string): unknown {
  return shown === 'nothing' ? undefined : (JSON.parse(shown) as unknown);
}
