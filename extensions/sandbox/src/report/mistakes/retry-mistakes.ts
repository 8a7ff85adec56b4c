import { type Exchange, isAfter, isRetryable } from '../exchange.ts';
import { attemptsBefore, counted, foundIn, type Mistake } from '../mistake.ts';

/** A timer may fire a little early, and clocks differ. */
const earlyMs = 100;

export const retriedUnderNewKey: Mistake = {
  name: 'retried_under_new_key',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const retries = [...attemptsBefore(exchanges)].filter(
      ([retry, first]) =>
        retry.fingerprint === first.fingerprint &&
        retry.idempotencyKey !== null &&
        first.idempotencyKey !== null &&
        retry.idempotencyKey !== first.idempotencyKey &&
        isRetryable(first),
    );
    const doubled = retries.filter(([retry, first]) => isDone(retry) && isDone(first)).length;
    const twice = doubled === 0 ? '' : `, and did ${doubled} of them twice`;
    const texts = `Retried ${counted(retries.length, 'write')} under a new Idempotency-Key${twice}.`;
    return foundIn(
      retries.map(([retry]) => retry),
      texts,
    );
  },
};

const isDone = ({ status, isReplay }: Exchange) => status < 300 && !isReplay;

export const ignoredRetryAfter: Mistake = {
  name: 'ignored_retry_after',
  guide: '/docs/guides/errors/rate_limited',
  find(exchanges) {
    const early = [...attemptsBefore(exchanges)].filter(
      ([retry, first]) =>
        first.retryAfterMs > 0 &&
        isAfter(retry, first) &&
        retry.startedAt < first.endedAt + first.retryAfterMs - earlyMs,
    );
    return foundIn(
      early.map(([retry]) => retry),
      `Retried ${counted(early.length, 'request')} before the time that Retry-After had named.`,
    );
  },
};

export const gaveUp: Mistake = {
  name: 'gave_up',
  guide: '/docs/guides/idempotency',
  find(exchanges) {
    const retried = new Set(attemptsBefore(exchanges).values());
    const failed = exchanges.filter((exchange) => isRetryable(exchange) && !retried.has(exchange));
    return foundIn(
      failed,
      `Gave up on ${counted(failed.length, 'request')} that a retry would have completed.`,
    );
  },
};
