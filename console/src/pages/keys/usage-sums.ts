import type { ResponseOf } from '../../api/call.ts';

export type Usage = ResponseOf<'listKeyUsage'>['data'][number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The spans of the usage, in days, with the length of a step. */
export const spans = {
  '1': { steps: 24, stepMs: hourMs, step: 'hour' },
  '7': { steps: 7 * 24, stepMs: hourMs, step: 'hour' },
  '90': { steps: 90, stepMs: dayMs, step: 'day' },
} as const;

export type Span = keyof typeof spans;

/** Returns the beginning of the first step of a span that ends with the current step. */
export function beginOf(span: Span, now: number = Date.now()): number {
  const { steps, stepMs } = spans[span];
  return (Math.floor(now / stepMs) - steps + 1) * stepMs;
}

/** Returns the start of the hour 23 hours ago: with the current one, 24 hours. */
export function dayAgo(now: number = Date.now()): string {
  return new Date(beginOf('1', now)).toISOString();
}

/** Returns the requests of each of the last 24 hours by key, oldest first. */
export function hourlyByKey(rows: readonly Usage[]): ReadonlyMap<string, readonly number[]> {
  const byKey = Map.groupBy(rows, ({ key_id }) => key_id);
  return new Map([...byKey].map(([keyId, uses]) => [keyId, stepsOf(uses, '1').requests]));
}

/** The requests that were answered with 4xx or 5xx. */
export const unservedOf = ({ denied, refused, failed }: Omit<Usage, 'at'>) => denied + refused + failed;

/** Adds usage up by step: all requests, and those that were refused or failed. Steps without requests are 0. */
export function stepsOf(rows: readonly Usage[], span: Span) {
  const { steps, stepMs } = spans[span];
  const begin = beginOf(span);
  const times = Array.from({ length: steps }, (_, index) => begin + index * stepMs);
  const byStep = Map.groupBy(rows, ({ at }) => Math.floor((Date.parse(at) - begin) / stepMs));
  const sums = (of: (usage: Usage) => number) =>
    times.map((_, index) => (byStep.get(index) ?? []).reduce((sum, usage) => sum + of(usage), 0));
  return { times, requests: sums(({ requests }) => requests), unserved: sums(unservedOf) };
}

export type OperationUse = Omit<Usage, 'at' | 'key_id'> & { readonly last: string };

/** Adds usage up by operation, most used first. */
export function byOperation(rows: readonly Usage[]): readonly OperationUse[] {
  return [...Map.groupBy(rows, ({ operation }) => operation)]
    .map(([operation, uses]) => ({
      operation,
      scope: uses[0]?.scope ?? null,
      requests: uses.reduce((sum, { requests }) => sum + requests, 0),
      denied: uses.reduce((sum, { denied }) => sum + denied, 0),
      refused: uses.reduce((sum, { refused }) => sum + refused, 0),
      failed: uses.reduce((sum, { failed }) => sum + failed, 0),
      last: uses.reduce((last, { at }) => (at > last ? at : last), ''),
    }))
    .sort((one, other) => other.requests - one.requests);
}

const daysOfTruth = 30;

/**
 * Returns the whole days of the last 90 in which a key could have been used; null: too few to say that it does not need a scope.
 */
export function daysObserved(createdAt: string, now: number = Date.now()): number | null {
  const days = Math.min(90, Math.floor((now - Date.parse(createdAt)) / dayMs));
  return days < daysOfTruth ? null : days;
}
