/** Returns the wait that `Retry-After` asks for, in milliseconds; null without the header. */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // A proxy may send a date. It is compared with the `Date` of the same response, since clocks differ.
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.max(0, at - serverTime(headers, now));
}

/** Returns the server's clock when it sent the response, truncated to seconds; the local clock without a `Date`. */
export function serverTime(headers: Headers, now: number = Date.now()): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? now : date;
}
