import { usePreferences } from '../app/preferences.ts';

/** The zone of time fields and axes: that of the browser while the shell shows local times, else UTC. */
export interface Zone {
  readonly isLocal: boolean;
  /** Its name, such as `Europe/Paris`. */
  readonly name: string;
  /** Returns an instant as the value of a `datetime-local` field; empty for what is none. */
  readonly fieldOf: (instant: string | undefined) => string;
  /** Returns the time of day of an instant, such as `12:03 UTC`. */
  readonly timeOf: (at: number) => string;
  /** Returns the instant of such a field, ISO 8601 with `Z`. */
  readonly instantOf: (field: string) => string;
}

const utc: Zone = {
  isLocal: false,
  name: 'UTC',
  fieldOf: (instant = '') => fieldIn(instant, () => 0),
  timeOf: (at) => `${new Date(at).toISOString().slice(11, 16)} UTC`,
  instantOf: (field) => new Date(`${field}Z`).toISOString(),
};

const local: Zone = {
  isLocal: true,
  name: Intl.DateTimeFormat().resolvedOptions().timeZone,
  fieldOf: (instant = '') => fieldIn(instant, (date) => date.getTimezoneOffset()),
  timeOf: (at) => local.fieldOf(new Date(at).toISOString()).slice(11, 16),
  instantOf: (field) => new Date(field).toISOString(),
};

function fieldIn(instant: string, minutesBehind: (date: Date) => number): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return '';
  const shifted = new Date(date.getTime() - minutesBehind(date) * 60_000).toISOString();
  // As the browser writes it: a field that differs from it counts as changed.
  return shifted.slice(0, -1).replace(/(:00)?\.000$|(?<=\.\d+?)0+$/, '');
}

export function useZone(): Zone {
  return usePreferences().time === 'local' ? local : utc;
}
