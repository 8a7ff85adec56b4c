import type { ResponseOf } from '../api/call.ts';
import { counted, figure } from './messages.ts';

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

/** Returns the last 24 whole hours of a part of what happened: the hour that runs would end each line in a fall. */
export function lineOf(hours: readonly Hour[], part: (hour: Hour) => number): readonly number[] {
  return hours.slice(-25, -1).map(part);
}

export const unservedOf = ({ refused, denied, failed }: Hour) => refused + denied + failed;

/** The subjects of the charts: the number of an hour, and the part of it that was not served. */
const subjects: readonly {
  readonly label: string;
  readonly good: string;
  readonly bad?: string;
  readonly of: (hour: Hour) => number;
  readonly badOf: (hour: Hour) => number;
}[] = [
  {
    label: 'requests',
    good: 'Served',
    bad: 'Refused, denied or failed',
    of: ({ requests }) => requests,
    badOf: unservedOf,
  },
  {
    label: 'feed lines',
    good: 'Decided',
    bad: 'Failed',
    of: ({ feed_lines }) => feed_lines,
    badOf: ({ refused_lines }) => refused_lines,
  },
  { label: 'learning events', good: 'Accepted', of: ({ events }) => events, badOf: () => 0 },
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

/** Returns the words above a chart. The label is a plural with s. */
export function totalText(label: string, total: number, before: number, days = 1): string {
  return `${counted(total, label.slice(0, -1), label)}, ${figure(before)} the ${days === 1 ? 'day' : `${days} days`} before`;
}
