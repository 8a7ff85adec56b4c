import { useSyncExternalStore } from 'react';

/** Choices of the user in the shell, kept in this browser only. */
export interface Preferences {
  /** `system` follows the operating system. */
  readonly scheme: 'system' | 'light' | 'dark';
  /** `ago` shows the distance to now, and the UTC time on hover. */
  readonly time: 'ago' | 'utc' | 'local';
  /** The columns that are not shown, by the name of their table. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
}

const storageKey = 'brandport.console';
const defaults: Preferences = { scheme: 'system', time: 'ago', hidden: {} };
let current = read();
const listeners = new Set<() => void>();

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>) };
  } catch {
    return defaults;
  }
}

/** Applies the colour scheme to the document. */
export function applyPreferences(): void {
  document.documentElement.style.colorScheme = current.scheme === 'system' ? '' : current.scheme;
}

export function setPreferences(change: Partial<Preferences>): void {
  current = { ...current, ...change };
  localStorage.setItem(storageKey, JSON.stringify(current));
  applyPreferences();
  for (const listener of listeners) listener();
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
