import type { CaseResult } from '../run-case.ts';
import { BUILDER_CALLS } from './builder-calls.ts';
import { judge, type KitFolder, notRun } from './kit-folder.ts';

interface RecordedCall {
  readonly call: string;
  readonly ok: boolean;
  readonly message_mentions?: readonly string[];
  readonly message_prefix?: string;
}

/** Runs the recorded calls of builders: which are refused and on account of what, and what the others make. */
export async function runBuilderErrors(
  recording: unknown,
  name: string,
  folder: KitFolder,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const recorded of recording as readonly RecordedCall[]) {
    const { call } = recorded;
    const entry = { name, entry: call, title: call, tags: folder.tags.of(name, call) };
    const make = Object.hasOwn(BUILDER_CALLS, call) ? BUILDER_CALLS[call] : undefined;
    if (make === undefined) {
      results.push(notRun(entry, `this version does not know the call "${call}"`));
    } else {
      results.push(judge(entry, { recorded: expectedOf(recorded), actual: await outcomeOf(make) }));
    }
  }
  return results;
}

function expectedOf(recorded: RecordedCall): unknown {
  if (!recorded.ok) return { ok: false, message: { $kit_error: '', mentions: mentionsOf(recorded) } };
  // What it was called and whether it passed; the rest is what was made.
  const { call: _call, ...made } = recorded;
  return made;
}

/** The beginning of a message says who complains: its first word. The rest of it is wording. */
function mentionsOf({ message_mentions = [], message_prefix = '' }: RecordedCall): readonly string[] {
  const who = /^\w+/.exec(message_prefix)?.[0];
  return who === undefined || who === 'Step' ? message_mentions : [...message_mentions, who];
}

async function outcomeOf(make: () => unknown): Promise<unknown> {
  try {
    return { ok: true, ...((await make()) as object) };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}
