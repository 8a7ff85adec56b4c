import { useEffect, useState } from 'react';
import { usePreferences } from '../app/preferences.ts';

interface Props {
  /** An instant, ISO 8601; null: it has not happened. */
  readonly at: string | null | undefined;
  /** The word for null. */
  readonly absent?: string;
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** An instant, relative to now; the UTC time is in its title. The switch of the shell shows UTC or local time instead. */
export function Moment({ at, absent = 'never' }: Props) {
  const { time } = usePreferences();
  useTicks(time === 'ago' ? at : null);
  if (at === null || at === undefined) return <span className="soft">{absent}</span>;
  const text = time === 'ago' ? agoOf(at) : time === 'utc' ? utcOf(at) : localOf(at);
  return (
    <time dateTime={at} title={time === 'ago' ? utcOf(at) : `${agoOf(at)}, ${utcOf(at)}`}>
      {text}
    </time>
  );
}

/** Renders the caller again as often as the distance of an instant reads otherwise: in its first minute, each five seconds. */
function useTicks(at: string | null | undefined): void {
  const [, tick] = useState(0);
  const isFresh = Math.abs(Date.now() - Date.parse(at ?? '')) < 60_000;
  useEffect(() => {
    if (at === null || at === undefined) return;
    const timer = setInterval(() => tick((count) => count + 1), isFresh ? 5_000 : 30_000);
    return () => clearInterval(timer);
  }, [at, isFresh]);
}

/** Returns the distance of an instant to now in words, such as `3 minutes ago`. */
function agoOf(at: string, now: number = Date.now()): string {
  const seconds = Math.round((Date.parse(at) - now) / 1000);
  const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  if (unit === 'second' && Math.abs(seconds) < 10) return 'just now';
  return relative.format(Math.trunc(seconds / length), unit);
}

/** Returns an instant as `2026-11-22 08:01:07 UTC`. */
export function utcOf(at: string): string {
  return `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

function localOf(at: string): string {
  const date = new Date(at);
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return `${shifted.toISOString().slice(0, 19).replace('T', ' ')} ${zoneOf(date)}`;
}

/** Returns the zone of the browser at an instant, such as `UTC+02:00`. */
function zoneOf(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const pad = (value: number) => String(value).padStart(2, '0');
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`;
}
