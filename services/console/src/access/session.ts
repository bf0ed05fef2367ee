const NAME = 'skillyard.key';
const listeners = new Set<() => void>();

/** The API key that requests are made with, as long as the tab lives. It never stands in an address. */
export const session = {
  /** Empty for nobody. */
  key: (): string => sessionStorage.getItem(NAME) ?? '',
  signIn: (key: string): void => {
    sessionStorage.setItem(NAME, key);
    for (const listener of listeners) listener();
  },
  signOut: (): void => {
    sessionStorage.removeItem(NAME);
    for (const listener of listeners) listener();
  },
  /** @returns ends the subscription */
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
