import type { ResponseOf } from '../api/call.ts';
import { counted, figure } from './messages.ts';

/** The words of the charts of activity. */
export const activityMessages = {
  title: 'Activity',
  range: 'Range',
  ranges: { '24': '24 hours', '72': '3 days' },
  none: 'Nothing has happened in the last 24 hours, nor in the day before.',
  /** A part of a chart, in the words of its legend. */
  share: (share: string, part: string) => `${share} ${part.toLowerCase()}`,
  open: 'A bar opens what was refused, denied or failed in its hour.',
  tiles: {
    requests: 'Requests, 24 hours',
    refused: 'Refused, denied or failed',
    refusedBefore: (share: string) => `${share} the day before`,
    failedLines: 'Failed lines left, 24 hours',
    ofFailed: (lines: string) => `of ${lines} that failed`,
  },
  requests: 'requests',
  feedLines: 'feed lines',
  events: 'learning events',
  served: 'Served',
  unserved: 'Refused, denied or failed',
  decided: 'Decided',
  refusedLines: 'Failed',
  accepted: 'Accepted',
  /** A label is a plural with s. */
  total: (label: string, total: number, before: number, days = 1) =>
    `${counted(total, label.slice(0, -1), label)}, ${figure(before)} the ${days === 1 ? 'day' : `${days} days`} before`,
} as const;

const words = activityMessages;

type Hour = ResponseOf<'getActivity'>['data'][number];

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

/** The subjects of the charts: the number of an hour, and the part of it that was not served. */
const subjects: readonly {
  readonly label: string;
  readonly good: string;
  readonly bad?: string;
  readonly of: (hour: Hour) => number;
  readonly badOf: (hour: Hour) => number;
}[] = [
  {
    label: words.requests,
    good: words.served,
    bad: words.unserved,
    of: ({ requests }) => requests,
    badOf: unservedOf,
  },
  {
    label: words.feedLines,
    good: words.decided,
    bad: words.refusedLines,
    of: ({ feed_lines }) => feed_lines,
    badOf: ({ refused_lines }) => refused_lines,
  },
  { label: words.events, good: words.accepted, of: ({ events }) => events, badOf: () => 0 },
];

/** A chart of the second half of the hours: its total, that of the first half, and the parts of its bars from the top. */
export type ActivityChart = ReturnType<typeof chartsOf>[number];

/** Returns a chart for each subject that occurs in the hours, which are those of two days, or of twice as many. */
export function chartsOf(hours: readonly Hour[]) {
  const middle = hours.length / 2;
  const [before, now] = [hours.slice(0, middle), hours.slice(middle)];
  const times = now.map(({ at }) => Date.parse(at));
  return subjects.flatMap(({ label, good, bad, of, badOf }) => {
    const sumOf = (some: readonly Hour[], part: (hour: Hour) => number) =>
      some.reduce((sum, hour) => sum + part(hour), 0);
    const [total, totalBefore] = [sumOf(now, of), sumOf(before, of)];
    if (total + totalBefore === 0) return [];
    const series = [
      { label: good, color: '--accent', values: now.map((hour) => of(hour) - badOf(hour)) },
      ...(bad === undefined ? [] : [{ label: bad, color: '--bad', values: now.map(badOf) }]),
    ];
    return [{ label, total, bad: sumOf(now, badOf), before: totalBefore, times, series }];
  });
}
