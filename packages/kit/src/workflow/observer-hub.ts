import type { ObserverMap } from '../definition/skill-definition.ts';

type EventOf<Name extends keyof ObserverMap> = Parameters<NonNullable<ObserverMap[Name]>>[0];

/** Calls the author's observers. They run beside the workflow: it neither waits for them nor hears of their errors. */
export class ObserverHub {
  readonly #observers: ObserverMap;
  readonly #warn: (line: string) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(observers: ObserverMap, warn: (line: string) => void) {
    this.#observers = observers;
    this.#warn = warn;
  }

  tell<Name extends keyof ObserverMap>(name: Name, event: EventOf<Name>): void {
    const observer = this.#observers[name] as ((event: EventOf<Name>) => unknown) | undefined;
    if (observer === undefined) {
      return;
    }
    const copy = copyOf(event);
    const running = Promise.resolve()
      .then(() => observer(copy))
      .then(
        () => undefined,
        (error: unknown) => {
          this.#warn(`observer ${name} error: ${error instanceof Error ? error.message : String(error)}`);
        },
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Waits for those that run. */
  async flush(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/** An observer may do with its event what it likes. What cannot be copied, such as a function in the params, is frozen anyway. */
function copyOf<Event>(event: Event): Event {
  try {
    return structuredClone(event);
  } catch {
    return event;
  }
}
