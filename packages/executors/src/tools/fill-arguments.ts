import type { CallJob, JsonObject, MemoryValue, WorkingMemory } from '@skillyard/contracts';
import { joinFill } from '@skillyard/engine';
import { setAt } from '../set-at.ts';

/** The arguments of a call with the values it holds by reference put in. */
export interface FilledArguments {
  readonly args: JsonObject;
  /** Set when a value could not be read and its beginning was used instead. */
  readonly note?: string;
}

/** Reads the large values that a call's arguments refer to, and writes them where they belong. */
export async function fillArguments(job: CallJob, memory: WorkingMemory): Promise<FilledArguments> {
  if (job.fill.length === 0) return { args: job.args };
  const values = await readAll(job, memory);
  const args = structuredClone(job.args);
  const unread = new Set<string>();
  for (const fill of job.fill) {
    const joined = joinFill(fill.parts, (handle) => wholeValue(values.get(handle)), job.notes);
    for (const handle of joined.unread) unread.add(handle);
    setAt(args, fill.at, joined.text);
  }
  if (unread.size === 0) return { args };
  const reasons = [...unread].map((handle) => `[mem:${handle}] ${whyUnread(values.get(handle))}`);
  return { args, note: `An argument holds only the beginning of its value: ${reasons.join('; ')}.` };
}

async function readAll(job: CallJob, memory: WorkingMemory): Promise<Map<string, MemoryValue>> {
  const handles = new Set<string>();
  for (const fill of job.fill) for (const part of fill.parts) if ('handle' in part) handles.add(part.handle);
  const read = [...handles].map(async (handle) => [handle, await memory.get(job.turnId, handle)] as const);
  return new Map(await Promise.all(read));
}

function wholeValue(value: MemoryValue | undefined): string | undefined {
  return value?.found === true ? value.text : undefined;
}

function whyUnread(value: MemoryValue | undefined): string {
  if (value === undefined || value.found) return 'cannot be read';
  return value.gone ?? 'is not in working memory';
}
