/** Milliseconds of the thread between two pauses. */
const stretchMs = 8;

/** Maps items one by one, with a pause for other requests whenever it has taken some milliseconds [platform-97]. */
export async function mapInStretches<T, R>(
  items: readonly T[],
  map: (item: T) => R,
  pause: () => Promise<void>,
): Promise<R[]> {
  const mapped: R[] = [];
  let since = performance.now();
  for (const item of items) {
    mapped.push(map(item));
    if (performance.now() - since <= stretchMs) continue;
    await pause();
    since = performance.now();
  }
  return mapped;
}
