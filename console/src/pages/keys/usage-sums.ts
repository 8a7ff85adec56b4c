import type { ResponseOf } from '../../api/call.ts';

export type Usage = ResponseOf<'listKeyUsage'>['data'][number];

const hourMs = 3_600_000;
const hours = 24;

/** Returns the start of the hour 23 hours ago: with the current one, 24 hours. */
export function dayAgo(now: number = Date.now()): string {
  return new Date(Math.floor(now / hourMs) * hourMs - (hours - 1) * hourMs).toISOString();
}

/** Returns the requests of each of the last 24 hours by key, oldest first. */
export function hourlyByKey(
  rows: readonly Usage[],
  now: number = Date.now(),
): ReadonlyMap<string, readonly number[]> {
  const begin = Date.parse(dayAgo(now));
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
