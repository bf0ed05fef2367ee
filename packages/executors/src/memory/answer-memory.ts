import type { MemoryJob, WorkingMemory } from '@skillyard/contracts';
import { readPath } from '@skillyard/engine';
import { failure, type Outcome } from '../step-failure.ts';

/**
 * Answers a memory job: the whole value behind a handle, or what lies at a path inside it.
 * Nothing under the handle is `empty`. A value that was there and has gone is an error, which degrades the step that
 * needed it; a path that leads nowhere is an error of the reference.
 */
export async function answerMemory(memory: WorkingMemory, job: MemoryJob): Promise<Outcome> {
  const value = await memory.get(job.turnId, job.handle);
  if (!value.found) {
    if (value.gone === undefined) return { status: 'empty', text: '' };
    return { ...failure('MEMORY_UNKNOWN', value.gone), note: value.gone };
  }
  const answer = readPath(value.text, job.at, job.notes);
  if (answer.found) return { status: 'ok', text: answer.text };
  return failure('REFERENCE_UNRESOLVED', answer.miss ?? `the path ${job.at} leads nowhere`);
}
