import type { ResponseOf } from '../../api/call.ts';

export type Usage = ResponseOf<'listKeyUsage'>['data'][number];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const hours = 24;

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
export function hourlyByKey(
  rows: readonly Usage[],
  now: number = Date.now(),
): ReadonlyMap<string, readonly number[]> {
  const begin = beginOf('1', now);
  const byKey = new Map<string, number[]>();
  for (const { at, key_id, requests } of rows) {
    const hour = Math.floor((Date.parse(at) - begin) / hourMs);
    if (hour < 0 || hour >= hours) continue;
    const line = byKey.get(key_id) ?? new Array<number>(hours).fill(0);
    line[hour] = (line[hour] ?? 0) + requests;
    byKey.set(key_id, line);
  }
  return byKey;
}

export interface Steps {
  readonly times: readonly number[];
  /** Requests that were answered with success. */
  readonly served: readonly number[];
  /** Requests that were not: 4xx and 5xx. */
  readonly unserved: readonly number[];
}

/** Adds usage up by step. Steps without requests are 0. */
export function stepsOf(rows: readonly Usage[], span: Span, now: number = Date.now()): Steps {
  const { steps, stepMs } = spans[span];
  const begin = beginOf(span, now);
  const served = new Array<number>(steps).fill(0);
  const unserved = new Array<number>(steps).fill(0);
  for (const { at, requests, denied, refused, failed } of rows) {
    const index = Math.floor((Date.parse(at) - begin) / stepMs);
    if (index < 0 || index >= steps) continue;
    const errors = denied + refused + failed;
    served[index] = (served[index] ?? 0) + requests - errors;
    unserved[index] = (unserved[index] ?? 0) + errors;
  }
  return { times: served.map((_, index) => begin + index * stepMs), served, unserved };
}

export type OperationUse = Omit<Usage, 'at' | 'key_id'> & { readonly last: string };

/** Adds usage up by operation, most used first. */
export function byOperation(rows: readonly Usage[]): readonly OperationUse[] {
  const sums = new Map<string, OperationUse>();
  for (const { at, operation, scope, requests, denied, refused, failed } of rows) {
    const sum = sums.get(operation);
    sums.set(operation, {
      operation,
      scope,
      requests: requests + (sum?.requests ?? 0),
      denied: denied + (sum?.denied ?? 0),
      refused: refused + (sum?.refused ?? 0),
      failed: failed + (sum?.failed ?? 0),
      last: sum === undefined || at > sum.last ? at : sum.last,
    });
  }
  return [...sums.values()].sort((one, other) => other.requests - one.requests);
}

const daysOfTruth = 30;

/**
 * Returns the whole days of the last 90 in which a key could have been used; null: too few to say that it does not need a scope.
 */
export function daysObserved(createdAt: string, now: number = Date.now()): number | null {
  const days = Math.min(90, Math.floor((now - Date.parse(createdAt)) / dayMs));
  return days < daysOfTruth ? null : days;
}

/** Returns the scopes of a key that no request needed. */
export function unusedScopes(scopes: readonly string[], rows: readonly Usage[]): readonly string[] {
  const used = new Set(rows.map(({ scope }) => scope));
  return scopes.filter((scope) => !used.has(scope));
}
