import type { ResponseOf } from '../api/call.ts';
import { counted, figure } from './messages.ts';

/** The words of the charts of activity. */
export const activityMessages = {
  title: 'Activity',
  range: 'Range',
  ranges: { '24': '24 hours', '72': '3 days' },
  none: 'Nothing has happened in the last 24 hours, nor in the day before.',
  refused: (share: string) => `${share} refused or failed`,
  open: 'A bar opens what was refused or failed in its hour.',
  tiles: {
    requests: 'Requests, 24 hours',
    refused: 'Refused or failed',
    refusedBefore: (share: string) => `${share} the day before`,
    failedLines: 'Failed lines of feeds',
  },
  requests: 'requests',
  feedLines: 'feed lines',
  events: 'learning events',
  served: 'Served',
  unserved: 'Refused or failed',
  decided: 'Decided',
  refusedLines: 'Refused',
  accepted: 'Accepted',
  /** A label is a plural with s. */
  total: (label: string, total: number, before: number, days = 1) =>
    `${counted(total, label.slice(0, -1), label)}, ${figure(before)} the ${days === 1 ? 'day' : `${days} days`} before`,
} as const;

const words = activityMessages;

type Hour = ResponseOf<'getActivity'>['data'][number];

/** A chart of the second half of the hours. */
export interface ActivityChart {
  readonly label: string;
  readonly total: number;
  /** The part of the total that was refused or failed. */
  readonly bad: number;
  /** The total of the first half. */
  readonly before: number;
  readonly times: readonly number[];
  readonly series: readonly {
    readonly label: string;
    /** A variable of `tokens.css`. */
    readonly color: string;
    readonly values: readonly number[];
  }[];
}

interface Subject {
  readonly label: string;
  /** The parts of an hour, from the top to the bottom of its bar. */
  readonly parts: readonly (readonly [label: string, color: string, of: (hour: Hour) => number])[];
}

/** Adds up the last two days of the hours, for the figures next to each other. */
export function daysOf(hours: readonly Hour[]) {
  const sumOf = (some: readonly Hour[]) => ({
    requests: some.reduce((sum, { requests }) => sum + requests, 0),
    unserved: some.reduce((sum, hour) => sum + unservedOf(hour), 0),
    refusedLines: some.reduce((sum, { refused_lines }) => sum + refused_lines, 0),
  });
  return { before: sumOf(hours.slice(-48, -24)), now: sumOf(hours.slice(-24)) };
}

const unservedOf = ({ refused, denied, failed }: Hour) => refused + denied + failed;

const subjects: readonly Subject[] = [
  {
    label: words.requests,
    parts: [
      [words.served, '--accent', (hour) => hour.requests - unservedOf(hour)],
      [words.unserved, '--bad', unservedOf],
    ],
  },
  {
    label: words.feedLines,
    parts: [
      [words.decided, '--accent', ({ feed_lines, refused_lines }) => feed_lines - refused_lines],
      [words.refusedLines, '--bad', ({ refused_lines }) => refused_lines],
    ],
  },
  { label: words.events, parts: [[words.accepted, '--accent', ({ events }) => events]] },
];

/** Returns a chart for each subject that occurs in the hours, which are those of two days, or of twice as many. */
export function chartsOf(hours: readonly Hour[]): readonly ActivityChart[] {
  const middle = hours.length / 2;
  const [before, now] = [hours.slice(0, middle), hours.slice(middle)];
  const times = now.map(({ at }) => Date.parse(at));
  return subjects.flatMap(({ label, parts }) => {
    const totalOf = (some: readonly Hour[]) =>
      some.reduce((sum, hour) => parts.reduce((all, [, , of]) => all + of(hour), sum), 0);
    const [total, totalBefore] = [totalOf(now), totalOf(before)];
    if (total + totalBefore === 0) return [];
    const bad = now.reduce(
      (sum, hour) => parts.reduce((all, [, color, of]) => (color === '--bad' ? all + of(hour) : all), sum),
      0,
    );
    const series = parts.map(([name, color, of]) => ({ label: name, color, values: now.map(of) }));
    return [{ label, total, bad, before: totalBefore, times, series }];
  });
}
