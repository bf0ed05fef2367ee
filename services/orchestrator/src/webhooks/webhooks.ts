import {
  type Config,
  parseDurationMs,
  SkillyardError,
  type TurnEnded,
  type TurnId,
} from '@skillyard/contracts';
import {
  type QueueConnection,
  startWebhookWorker,
  type TurnStore,
  type TurnView,
  webhookId,
  WebhookQueue,
  type WebhookTicket,
} from '@skillyard/queue';
import { turnResource, type TurnTraces } from '../http/turn-resource.ts';
import type { Logger } from '../logger.ts';
import { postWebhook } from './post-webhook.ts';
import { WebhookAddresses } from './webhook-addresses.ts';
import { WebhookSigner } from './webhook-signer.ts';

export interface WebhooksParts {
  readonly config: Pick<Config, 'webhooks'>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly connection: QueueConnection;
  readonly store: Pick<TurnStore, 'read'>;
  readonly log: Logger;
  readonly now: () => number;
  /** An end is told of by another orchestrator when this one did nothing for as long. */
  readonly lockMs: number;
  /** Before the second attempt; 10 s when absent. */
  readonly retryDelayMs?: number | undefined;
  readonly traces: TurnTraces;
}

const ATTEMPTS = 8;
const TIMEOUT_MS = 10_000;
const RETRY_DELAY_MS = 10_000;

/**
 * Tells addresses outside of the ends of turns. That an end has come is noted before it is told, so that it survives
 * whoever noted it; it is told at least once, and every time under the same id.
 */
export class Webhooks {
  readonly #parts: WebhooksParts;
  readonly #addresses: WebhookAddresses;
  readonly #signer: WebhookSigner | null;
  readonly #queue: WebhookQueue;
  #worker: { close(): Promise<void> } | undefined;

  /** @throws SkillyardError CONFIG_INVALID for an address or secret that cannot be used */
  constructor(parts: WebhooksParts) {
    const { config, env, connection, retryDelayMs = RETRY_DELAY_MS } = parts;
    const { webhooks } = config;
    this.#parts = parts;
    this.#addresses = new WebhookAddresses(webhooks);
    this.#signer = webhooks === undefined ? null : WebhookSigner.fromEnv(webhooks.secret_env, env);
    this.#queue = new WebhookQueue(connection, { attempts: webhooks?.attempts ?? ATTEMPTS, retryDelayMs });
  }

  /** Notes that the end of a turn is to be told of. A turn that runs again by now has nothing to tell. */
  async note(turnId: TurnId): Promise<void> {
    const endedAtMs = (await this.#parts.store.read(turnId))?.view.endedAtMs ?? null;
    if (endedAtMs !== null) await this.#queue.add({ turnId, endedAtMs });
  }

  /** Begins to tell of what was noted, here or elsewhere. Without a configuration others have to. */
  async start(): Promise<void> {
    const { connection, lockMs, log } = this.#parts;
    if (this.#signer === null) return;
    const signer = this.#signer;
    this.#worker = await startWebhookWorker({
      connection,
      lockMs,
      deliver: (ticket) => this.#deliver(ticket, signer),
      onFailure: ({ turnId }, { error, isLast }) => {
        const reason = error.message;
        if (isLast) log.error({ turnId, code: 'WEBHOOK_FAILED', reason }, 'webhook given up');
        else log.warn({ turnId, reason }, 'webhook failed; trying again later');
      },
      onError: (error) => log.warn({ reason: error.message }, 'webhooks'),
    });
  }

  async close(): Promise<void> {
    await this.#worker?.close();
    await this.#queue.close();
  }

  async #deliver(ticket: WebhookTicket, signer: WebhookSigner): Promise<void> {
    const { store, config, log, now, traces } = this.#parts;
    const { turnId, endedAtMs } = ticket;
    const view = (await store.read(turnId))?.view;
    // It is forgotten by now, or was reopened: then its next end is told of.
    if (view === undefined || view.endedAtMs !== endedAtMs) return;
    const url = this.#allowed(view);
    if (url === null) return;
    const id = webhookId(ticket);
    const body = JSON.stringify(bodyOf(view, traces));
    const result = await postWebhook(url, {
      headers: signer.headers(id, now(), body),
      body,
      timeoutMs: parseDurationMs(config.webhooks?.timeout ?? '') ?? TIMEOUT_MS,
    });
    if (result.kind === 'failed') throw new Error(`${url.origin}: ${result.reason}`);
    if (result.kind === 'refused')
      log.error(
        { turnId, code: 'WEBHOOK_FAILED', reason: `${url.origin}: ${result.reason}` },
        'webhook refused; not trying again',
      );
    else log.info({ turnId, to: url.origin }, 'webhook taken');
  }

  /** The configuration may have changed since the turn was submitted. */
  #allowed({ turnId, origin }: TurnView): URL | null {
    try {
      return origin.webhook === undefined ? null : this.#addresses.check(origin.webhook);
    } catch (error) {
      if (!SkillyardError.is(error)) throw error;
      const reason = error.message;
      this.#parts.log.error({ turnId, code: 'WEBHOOK_FAILED', reason }, 'webhook no longer allowed');
      return null;
    }
  }
}

function bodyOf(view: TurnView, traces: TurnTraces): TurnEnded {
  const { outcome, ...turn } = turnResource(view, traces);
  if (outcome === null) throw new Error(`turn ${view.turnId} has a time at which it ended and no outcome`);
  const { vars: _vars, ...told } = outcome;
  return { type: 'turn.ended', turn: { ...turn, outcome: told } };
}
