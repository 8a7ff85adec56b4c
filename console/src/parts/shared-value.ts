import { useCallback, useSyncExternalStore } from 'react';

/** Keeps a value outside of React, and renders its users again when it changes. */
export function sharedValue<Value>(initial: Value) {
  let current = initial;
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    get: () => current,
    set: (next: Value) => {
      current = next;
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => current),
  };
}

/** Returns whether the screen or the system is as a media query says. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
