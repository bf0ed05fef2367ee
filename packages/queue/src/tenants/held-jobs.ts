import type { QueueConnection } from '../connection.ts';
import { Notes } from './notes.ts';

/** The jobs of one tenant at one queue, in numbers. */
export interface TenantJobs {
  /** Jobs that wait until the tenant may have more in flight. */
  readonly held: number;
  /** Jobs that are with the workers or in their queue. */
  readonly inFlight: number;
}

/** The jobs that wait for the share of their tenant, of one queue. */
export interface HeldCounts {
  readonly held: number;
  readonly tenants: ReadonlyMap<string, TenantJobs>;
}

/** Tenants in the note of one orchestrator: those with most held. */
const MOST_TENANTS = 1000;

/** What orchestrators hold back from a queue: in no queue, and known to nobody else. */
export class HeldJobs {
  readonly #connection: QueueConnection;
  readonly #notes: Notes;

  constructor(connection: QueueConnection) {
    this.#connection = connection;
    this.#notes = new Notes(connection);
  }

  /** Says what an orchestrator holds back. To be said again every few seconds. */
  async write(queue: string, owner: string, tenants: ReadonlyMap<string, TenantJobs>): Promise<void> {
    const most = [...tenants].toSorted(([, a], [, b]) => b.held - a.held).slice(0, MOST_TENANTS);
    const text = JSON.stringify(most.map(([tenant, { held, inFlight }]) => [tenant, held, inFlight]));
    await this.#notes.write(this.#connection.keys.held(queue), owner, text);
  }

  /** An orchestrator holds nothing back any more. */
  async remove(queue: string, owner: string): Promise<void> {
    await this.#notes.remove(this.#connection.keys.held(queue), owner);
  }

  /** What each orchestrator that holds jobs back has, by its name. */
  async byOwner(queue: string): Promise<Map<string, Map<string, TenantJobs>>> {
    const notes = await this.#notes.read(this.#connection.keys.held(queue));
    return new Map([...notes].map(([owner, text]) => [owner, tenantsOf(text)]));
  }

  /** The counts of all orchestrators together. */
  async read(queue: string): Promise<HeldCounts> {
    const tenants = new Map<string, TenantJobs>();
    let sum = 0;
    for (const counts of (await this.byOwner(queue)).values()) {
      for (const [tenant, { held, inFlight }] of counts) {
        const before = tenants.get(tenant) ?? { held: 0, inFlight: 0 };
        tenants.set(tenant, { held: before.held + held, inFlight: before.inFlight + inFlight });
        sum += held;
      }
    }
    return { held: sum, tenants };
  }
}

function tenantsOf(text: string): Map<string, TenantJobs> {
  const counts = JSON.parse(text) as [tenant: string, held: number, inFlight: number][];
  return new Map(counts.map(([tenant, held, inFlight]) => [tenant, { held, inFlight }]));
}
