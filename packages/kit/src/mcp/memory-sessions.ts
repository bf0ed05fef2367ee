import { isDeepStrictEqual } from 'node:util';
import type { SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import { findStep } from '../sessions/step-lookup.ts';
import { openRun, openSubskill, type Run, type RunOptions } from '../workflow/run.ts';
import { refusal, type Reply, replyOf } from './reply.ts';
import { SessionTable, type SessionTableOptions } from './session-table.ts';
import type { AdvanceRequest, WorkflowSessions } from './workflow-sessions.ts';

interface Session {
  readonly run: Run;
  /** The last answer that was taken, and the reply to it. */
  last: { readonly step: string; readonly output: unknown; readonly reply: Reply } | null;
  /** The last answer was thrown out by the workflow, which may mean that the step has no way on. */
  stuck: boolean;
  /** Settles, never with an error, when the call before is through. */
  before: Promise<unknown>;
}

/** Sessions that live as long as the process. */
export function memorySessions(
  definition: SkillDefinition,
  runOptions: RunOptions,
  tableOptions: SessionTableOptions,
): WorkflowSessions {
  const table = new SessionTable<Session>(tableOptions);
  return {
    start: async ({ params, subskill }, signal) => {
      const options = { ...runOptions, params };
      const run =
        subskill === undefined ? openRun(definition, options) : openSubskill(definition, subskill, options);
      const result = await run.start(signal);
      return replyOf(table.add({ run, last: null, stuck: false, before: Promise.resolve() }), result);
    },
    advance: async (request, signal) => {
      const session = table.get(request.session);
      if (session === undefined) {
        return refusal(
          request.session,
          request.step,
          `Session "${request.session}" is not known: it has expired or was never begun. Call \`start\``,
          false,
        );
      }
      const call = session.before.then(() => answer(session, request, signal));
      session.before = call.catch(() => undefined);
      return call;
    },
    waiting: (id) => {
      const session = table.get(id);
      const reply = session?.last?.reply;
      return session === undefined || reply?.status !== 'prompt'
        ? null
        : { reply, prompt: session.run.promptOf(reply.step) };
    },
  };
}

async function answer(session: Session, request: AdvanceRequest, signal: AbortSignal): Promise<Reply> {
  const { run } = session;
  const step = fullName(request.step, run.current);
  const refused = refuse(session, { ...request, step });
  if (refused !== null) {
    return refused;
  }
  try {
    const result = await run.advance(step, request.output, signal);
    const reply = replyOf(request.session, result);
    if (result.kind !== 'error') {
      session.stuck = false;
      session.last = { step, output: request.output, reply };
    }
    return reply;
  } catch (error) {
    session.stuck = true;
    if (KitError.is(error, 'TARGET_UNKNOWN')) {
      return refusal(request.session, '', error.message, false);
    }
    throw error;
  }
}

/** The reply to an answer that the workflow does not get to see; null when it does. */
function refuse({ run, last, stuck }: Session, { session, step, output }: AdvanceRequest): Reply | null {
  if (step === run.current) {
    return null;
  }
  const isRepeat = last?.step === step && isDeepStrictEqual(last.output, output);
  if (run.current === null) {
    const repeated =
      isRepeat && last.reply.status === 'done'
        ? `; this answer was taken, and the final output is ${JSON.stringify(last.reply.finalOutput)}`
        : '';
    return refusal(
      session,
      step,
      `Session "${session}" is done${repeated}. Call \`start\` for a new one`,
      false,
    );
  }
  if (isRepeat) {
    return last.reply;
  }
  // Of a step that is none the workflow has its own words.
  if (stuck || findStep(run.definition, step) === undefined) {
    return null;
  }
  return refusal(session, step, `Step "${step}" is not asked for now: answer step "${run.current}"`, false);
}

/** Within a sub-skill its steps may be named without it. */
function fullName(step: string, current: string | null): string {
  return current?.endsWith(`/${step}`) === true ? current : step;
}
