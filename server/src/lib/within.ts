/**
 * Returns what `work` resolves with, or after `ms` milliseconds what `late` returns; the work then continues unobserved.
 * Rejects with the reason of `work`, or with what `late` throws.
 */
export function within<T, Late>(ms: number, work: Promise<T>, late: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  work.catch(() => {});
  return Promise.race([work, limit.then(late)]).finally(() => clearTimeout(timer));
}
