const spoken = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?)?(?: ?(?:UTC|Z))?$/i;

/**
 * Returns the instant of a string as people copy it, such as `2026-03-02 12:00:07 UTC` or `2026-03-02`, as the API takes it. UTC
 * is assumed. Other strings are returned as they are, for the server to accept or refuse.
 */
export function instantFrom(text: string): string {
  const [, day, minute = '00:00', second = ':00'] = spoken.exec(text.trim()) ?? [];
  return day === undefined ? text : `${day}T${minute}${second}Z`;
}

/** Returns the milliseconds of an instant since 1970; null for a string that is none. */
export function millisecondsOf(instant: string | undefined): number | null {
  const parsed = instant === undefined ? Number.NaN : Date.parse(instant);
  return Number.isNaN(parsed) ? null : parsed;
}
