import type { TurnId } from '@skillyard/contracts';
import { hasEnded, postCancel, type QueueConnection, type TurnStore } from '@skillyard/queue';

/**
 * Cancels a turn that was delegated to, and that nobody waits for any more. Whoever goes on without it cancels it as
 * well, after a commit: an orchestrator that dies in between leaves a turn that would run to its end for nothing.
 */
export async function cancelAbandoned(
  connection: QueueConnection,
  store: TurnStore,
  turnId: TurnId,
): Promise<void> {
  const stored = await store.read(turnId);
  const parent = stored?.lineage.parent ?? null;
  if (stored === null || parent === null || hasEnded(stored.view.status)) return;
  // Its parent is reopened after it, and then waits for it.
  if (stored.reopened) return;
  // The outbox holds the job from before the turn is submitted until nobody waits for it.
  if ((await store.pendingJob(parent)) !== null) return;
  const message = 'the turn that delegated to it went on without it';
  await postCancel(connection, turnId, { code: 'TURN_CANCELLED', message });
}
