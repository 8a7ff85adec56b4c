import type { ResponseOf } from '../api/call.ts';
import { counted, figure } from './messages.ts';

/** The words of the charts of activity. */
export const activityMessages = {
  title: 'Last 24 hours',
  none: 'Nothing has happened in the last 24 hours, nor in the day before.',
  requests: 'requests',
  feedLines: 'feed lines',
  events: 'learning events',
  served: 'Served',
  unserved: 'Refused or failed',
  decided: 'Decided',
  refusedLines: 'Refused',
  accepted: 'Accepted',
  /** A label is a plural with s. */
  total: (label: string, total: number, before: number) =>
    `${counted(total, label.slice(0, -1), label)}, ${figure(before)} the day before`,
} as const;

const words = activityMessages;

type Hour = ResponseOf<'getActivity'>['data'][number];

/** A chart of the second half of the hours. */
export interface ActivityChart {
  readonly label: string;
  readonly total: number;
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

/** Returns a chart for each subject that occurs in the hours, which are those of two days. */
export function chartsOf(hours: readonly Hour[]): readonly ActivityChart[] {
  const middle = hours.length / 2;
  const [before, now] = [hours.slice(0, middle), hours.slice(middle)];
  const times = now.map(({ at }) => Date.parse(at));
  return subjects.flatMap(({ label, parts }) => {
    const totalOf = (some: readonly Hour[]) =>
      some.reduce((sum, hour) => parts.reduce((all, [, , of]) => all + of(hour), sum), 0);
    const [total, totalBefore] = [totalOf(now), totalOf(before)];
    if (total + totalBefore === 0) return [];
    const series = parts.map(([name, color, of]) => ({ label: name, color, values: now.map(of) }));
    return [{ label, total, before: totalBefore, times, series }];
  });
}
