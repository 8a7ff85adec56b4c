/**
 * Runs work on the items of a source, several at a time, and yields the results in the order of the items. Reads ahead
 * by `limit` items at most. The first failure ends the iteration; work that has begun is awaited.
 */
export async function* inParallel<T, R>(
  source: AsyncIterable<T> | Iterable<T>,
  limit: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R, void, undefined> {
  const running: Promise<R>[] = [];
  try {
    for await (const item of source) {
      const begun = work(item);
      // The failure is thrown when its turn comes.
      begun.catch(() => {});
      running.push(begun);
      if (running.length >= limit) yield await (running.shift() as Promise<R>);
    }
    while (running.length > 0) yield await (running.shift() as Promise<R>);
  } finally {
    await Promise.allSettled(running);
  }
}
