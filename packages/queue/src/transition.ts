/**
 * The places at which a process may die in the life of a step. What a transition does lies between its `before` and its
 * `after`; crash tests end a process at each of them.
 *
 * - of the orchestrator: `start` (a submitted turn is started), `commit`, `enqueue` (what follows from the
 *   commit is asked for), `submit` (a delegated turn), `announce` (the end of a turn is made known), `ack` (of results)
 * - of a worker: `claim`, `execute`, `result` (is posted), `ack` (of the ticket)
 */
export const TRANSITIONS = [
  'start.before',
  'start.after',
  'submit.before',
  'submit.after',
  'claim.before',
  'claim.after',
  'execute.before',
  'execute.after',
  'result.before',
  'result.after',
  'commit.before',
  'commit.after',
  'enqueue.before',
  'enqueue.after',
  'announce.before',
  'announce.after',
  'ack.before',
  'ack.after',
] as const;

export type Transition = (typeof TRANSITIONS)[number];

/** Told of every transition, and waited for. For tests: nothing goes on before it returns. */
export type OnTransition = (transition: Transition) => void | Promise<void>;
