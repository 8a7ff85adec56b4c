import type { Feed } from './line-results.ts';
import { messages } from './messages.ts';

/** Returns how far a feed is: its lines, its place in the queue, and its rate. */
export function progressOf({
  next_line: next,
  received_lines: lines,
  queue_position: place,
  lines_per_second: rate,
}: Feed): string {
  const { feed: words } = messages;
  return [
    words.progressOf(next, lines),
    ...(place === null ? [] : [words.place(place)]),
    ...(rate === null ? [] : [words.rate(rate)]),
  ].join(', ');
}

/** Returns the time from the receipt of a feed to its end, or until now. */
export function durationOf({ received_at, finished_at }: Feed, now: number = Date.now()): string {
  const end = finished_at === null ? now : Date.parse(finished_at);
  return durationText(end - Date.parse(received_at));
}

/** Returns a duration in words, such as `1.2 s`, `3 min 5 s` or `2 h 10 min`. */
function durationText(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
