import { sharedValue } from '../parts/shared-value.ts';

/** Choices of the user in the shell, kept in this browser only. */
export interface Preferences {
  /** `system` follows the operating system. */
  readonly scheme: 'system' | 'light' | 'dark';
  /** `ago` shows the distance to now, and the UTC time on hover. */
  readonly time: 'ago' | 'utc' | 'local';
  /** The columns that are not shown, by the name of their table. */
  readonly hidden: Readonly<Record<string, readonly string[]>>;
  /** The address of the client API, for texts to integrators; empty: not known. */
  readonly apiAddress: string;
}

const storageKey = 'brandport.console';
const defaults: Preferences = { scheme: 'system', time: 'ago', hidden: {}, apiAddress: '' };
const preferences = sharedValue(read());

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>) };
  } catch {
    return defaults;
  }
}

/** Applies the colour scheme to the document. */
export function applyPreferences(): void {
  const { scheme } = preferences.get();
  document.documentElement.style.colorScheme = scheme === 'system' ? '' : scheme;
}

export function setPreferences(change: Partial<Preferences>): void {
  preferences.set({ ...preferences.get(), ...change });
  localStorage.setItem(storageKey, JSON.stringify(preferences.get()));
  applyPreferences();
}

export const usePreferences = preferences.use;
