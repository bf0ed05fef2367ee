import {
  compactJson,
  elementsOf,
  journalText,
  membersOf,
  type ProgramOutput,
  readOutput,
} from '@skillyard/program/supervisor';
import type { ProgramSkill } from '@skillyard/contracts';
import { isRecord } from '../../is-record.ts';
import type { CaseResult } from '../run-case.ts';
import { isAdmissible } from './admission.ts';
import {
  journalOf,
  type NamedStep,
  type RecordedProgram,
  type RecordedStep,
  stepsOf,
} from './recorded-program.ts';
import { rawDigest } from './run-digest-vectors.ts';
import { judge, printed, type RunRecording } from './yield-folder.ts';

/** Languages whose SDK compares the bytes of requests, as our supervisor does. */
const COMPARES_BYTES = new Set(['go']);
/** A request that all SDKs write alike: no escapes, nothing but ASCII and whole numbers of few digits, no schema `null`. */
const PLAIN =
  /^(?!.*"output_schema":null)(?:"[ !#-[\]-~]*"|[[\]{},:]|-?\d{1,15}(?![\d.eE])|true|false|null)*$/;

/**
 * Programs of other SDKs, which do not run here: whether our supervisor admits what they printed, and whether they would
 * find their own requests again in the journals that it writes.
 */
export const runForeignRecording: RunRecording = async (recording, name) => {
  const recorded = recording as RecordedProgram;
  const title = recorded.program;
  const printedSteps = stepsOf(recorded).flatMap((step): CaseResult[] => {
    const entry = (part: string) => ({ name, entry: `${step.name}/${part}`, title });
    const { admitted, output } = admission(step.stdout);
    // Whatever a program came to in the life of a run was taken by a supervisor.
    const isTaken =
      step.answered !== undefined || (step.exit_code === 0 && isAdmissible(printed(step.stdout)));
    const results = [judge(entry('admission'), isTaken, step.exit_code === 0 && admitted)];
    if (output?.type === 'request') {
      const { request } = output.envelope;
      const kept = { value: printed(request.text), isVerbatim: step.stdout.includes(request.text) };
      const expected = { value: requestIn(printed(step.stdout)), isVerbatim: true };
      results.push(judge(entry('request'), expected, kept));
      results.push(judge(entry('digest'), rawDigest(request.text), request.digest));
      if (step.answered !== undefined)
        results.push(judge(entry('identity'), identityIn(step), identityOf(output)));
    }
    if (output?.type === 'diverged') {
      const request = requestsIn(journalOf(step))[output.divergence.sequence - 1] ?? '';
      if (COMPARES_BYTES.has(recorded.language) || PLAIN.test(request)) {
        results.push(judge(entry('digest'), output.divergence.expected_digest, rawDigest(request)));
      }
    }
    return results;
  });
  const journals = recorded.cases.flatMap(({ name: run, steps }) =>
    steps.map((step, index) => {
      const [expected, actual] = [journalOf(step), ownJournal(steps, index)];
      const entry = { name, entry: `${run}/${index}/journal`, title };
      // Where the bytes were not recorded, their values are all there is to compare.
      return step.journal_text === undefined
        ? judge(entry, JSON.parse(expected), JSON.parse(actual))
        : judge(entry, expected, actual);
    }),
  );
  return [...printedSteps, ...journals];
};

/** Whether our supervisor admits what was printed, and as what. */
export function admission(stdout: string): {
  readonly admitted: boolean;
  readonly output: ProgramOutput | null;
} {
  try {
    return { admitted: true, output: readOutput(stdout) };
  } catch {
    return { admitted: false, output: null };
  }
}

/** The journal that our supervisor would start a step with: requests as the steps before printed them, recorded answers. */
function ownJournal(steps: readonly RecordedStep[], index: number): string {
  const journal = new Map(membersOf(journalOf(steps[index] as RecordedStep)));
  const entries = elementsOf(journal.get('entries') ?? '[]').map((entry, position) => {
    const response = new Map(membersOf(new Map(membersOf(entry)).get('response') ?? '{}'));
    const before = admission(steps[position]?.stdout ?? '').output;
    const request = before?.type === 'request' ? before.envelope.request : undefined;
    return {
      requestId: request?.id ?? '',
      request: request?.text ?? '{}',
      result: response.get('result') ?? 'null',
    };
  });
  return journalText({
    runId: JSON.parse(journal.get('run_id') ?? '""') as string,
    skill: JSON.parse(journal.get('skill') ?? '{}') as ProgramSkill,
    entries,
    input: null,
  });
}

/** Whose request a step must print, and in which place. */
function identityIn(step: NamedStep): unknown {
  const { run_id, skill } = JSON.parse(journalOf(step)) as Readonly<Record<string, unknown>>;
  return { run_id, skill, sequence: (step.answered ?? 0) + 1 };
}

function identityOf({ envelope }: Extract<ProgramOutput, { type: 'request' }>): unknown {
  return { run_id: envelope.runId, skill: envelope.skill, sequence: envelope.sequence };
}

/** The request in what a program printed, found without the product's reader of outputs. */
function requestIn(output: unknown): unknown {
  const envelope = isRecord(output) ? output['envelope'] : undefined;
  return isRecord(envelope) ? envelope['request'] : undefined;
}

/** The texts of the requests of a journal. */
function requestsIn(journal: string): readonly string[] {
  const members = new Map(membersOf(compactJson(journal)));
  return elementsOf(members.get('entries') ?? '[]').map(
    (entry) => new Map(membersOf(entry)).get('request') ?? '',
  );
}
