import type { Handshake, References, SkillDefinition } from '../definition/skill-definition.ts';
import { KitError } from '../kit-error.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { advanceSession, startSession } from '../sessions/session-workflow.ts';
import { refusal, replyOf } from './reply.ts';
import type { WorkflowSessions } from './workflow-sessions.ts';

export interface DurableOptions {
  readonly handshake: Handshake;
  readonly references: References;
  readonly warn: (line: string) => void;
}

/** Sessions that another process can take up, and that are those of the command line. */
export function durableSessions(
  definition: SkillDefinition,
  store: SessionStore,
  { handshake, references, warn }: DurableOptions,
): WorkflowSessions {
  return {
    start: async ({ params, subskill }, signal) => {
      const { sessionId, result } = await startSession(definition, store, {
        params,
        handshake,
        references,
        warn,
        signal,
        outputMode: 'flag',
        ...(subskill === undefined ? {} : { subskill }),
      });
      return replyOf(sessionId, result);
    },
    advance: async ({ session, step, output }, signal) => {
      try {
        const reply = await advanceSession(
          definition,
          store,
          session,
          { step, output },
          { references, warn, signal },
        );
        return replyOf(session, reply.result);
      } catch (error) {
        if (KitError.is(error, 'SESSION_UNKNOWN')) {
          return refusal(session, step, error.message, false);
        }
        if (KitError.is(error, 'SESSION_BUSY')) {
          return refusal(session, step, error.message, true);
        }
        if (KitError.is(error, 'TARGET_UNKNOWN')) {
          return refusal(session, '', error.message, false);
        }
        throw error;
      }
    },
    // The lines of a session hold prompts as they were written.
    waiting: () => null,
  };
}
