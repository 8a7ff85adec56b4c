import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import type { ResponseOf } from '../api/call.ts';
import { lazyPage } from '../app/lazy-page.ts';
import { type ActivityChart, chartsOf, daysOf, lineOf, totalText, unservedOf } from './activity-sums.ts';
import { changeText, shareText, type Tile } from './figure-tiles.tsx';
import { figure } from './messages.ts';
import { Segments } from './segments.tsx';

const ranges = { '24': '24 hours', '72': '3 days' } as const;
export type ActivityRange = keyof typeof ranges;

interface Props {
  /** undefined: not read yet. It is added below what the page is about, so it does not say that it loads. */
  readonly activity: ResponseOf<'getActivity'> | undefined;
  readonly range: ActivityRange;
  /** Where a bar leads: to the refused requests, feeds and datasets of its hour. */
  readonly places: ActivityPlaces;
}

/** Paths below `/console`. */
export interface ActivityPlaces {
  readonly refusals: string;
  readonly feeds: string;
  readonly datasets: string;
}

/** Returns the hours that are read: those of the range, and as many before. */
export const hoursOf = (range: ActivityRange = '24') => ({ hours: 2 * Number(range) });
export const activityRefreshMs = 60_000;

const TimeChart = lazyPage(() => import('./time-chart.tsx'), 'TimeChart');

/** Charts of the last 24 or 72 hours, each with its total and that of the time before. */
export function Activity({ activity, range, places }: Props) {
  const charts = useMemo(() => activity && chartsOf(activity.data), [activity]);
  if (charts === undefined) return null;
  return (
    <section className="section" aria-labelledby="activity">
      <div className="section-head">
        <h2 id="activity">Activity</h2>
        <Segments
          label="Range"
          choices={(Object.keys(ranges) as ActivityRange[]).map((each) => ({
            label: ranges[each],
            search: { hours: each === '24' ? undefined : each },
            isCurrent: each === range,
          }))}
        />
      </div>
      {charts.length === 0 ? (
        <p className="soft">Nothing has happened in the last 24 hours, nor in the day before.</p>
      ) : (
        <div className="charts">
          {charts.map((chart) => (
            <Chart key={chart.label} chart={chart} days={Number(range) / 24} places={places} />
          ))}
        </div>
      )}
    </section>
  );
}

interface ChartProps {
  readonly chart: ActivityChart;
  readonly days: number;
  readonly places: ActivityPlaces;
}

function Chart({ chart: { label, total, bad, before, times, series }, days, places }: ChartProps) {
  const text = totalText(label, total, before, days);
  const navigate = useNavigate();
  function open(at: number): void {
    const [from, to] = [new Date(at).toISOString(), new Date(at + 3_599_999).toISOString()];
    const day = from.slice(0, 10);
    const place =
      label === 'requests'
        ? { to: places.refusals, search: { from, to } }
        : label === 'feed lines'
          ? { to: places.feeds, search: { from, to } }
          : { to: places.datasets, search: { from: day, to: day } };
    void navigate(place as never);
  }
  return (
    <div className="section">
      <p>
        {text}{' '}
        {bad > 0 && (
          <span className="chart-share">
            {shareText(bad, total)} {series.at(-1)?.label.toLowerCase()}
          </span>
        )}
      </p>
      <Suspense fallback={<div className="chart" />}>
        <TimeChart times={times} series={series} label={text} onOpen={open} />
      </Suspense>
    </div>
  );
}

interface TilePlaces extends ActivityPlaces {
  /** The list of what the requests come from. */
  readonly requests: Pick<Tile, 'to' | 'search'>;
  /** Failed lines that nothing has dealt with; undefined: not read yet. */
  readonly linesLeft: number | undefined;
}

/** Returns the figures of the last 24 hours, against the 24 before. */
export function tilesOfDay(
  hours: ResponseOf<'getActivity'>['data'],
  { requests, refusals, feeds, linesLeft }: TilePlaces,
): readonly Tile[] {
  const { now, before } = daysOf(hours);
  return [
    {
      label: 'Requests, 24 hours',
      value: figure(now.requests),
      note: changeText(now.requests, before.requests),
      line: lineOf(hours, (hour) => hour.requests),
      ...requests,
    },
    {
      label: 'Refused, denied or failed',
      value: shareText(now.unserved, now.requests),
      note: `${shareText(before.unserved, before.requests)} the day before`,
      tone: isWorse(now, before) ? 'bad' : undefined,
      line: lineOf(hours, unservedOf),
      to: refusals,
    },
    {
      label: 'Failed lines left, 24 hours',
      value: linesLeft === undefined ? '–' : figure(linesLeft),
      // A line that failed in several feeds is left once.
      note: `of ${figure(Math.max(now.refusedLines, linesLeft ?? 0))} that failed`,
      tone: linesLeft ? 'warn' : undefined,
      line: lineOf(hours, (hour) => hour.refused_lines),
      to: feeds,
      search: { refused_lines: 'true' },
    },
  ];
}

type Day = Pick<ReturnType<typeof daysOf>['now'], 'requests' | 'unserved'>;

/** Returns whether a larger share was refused than the day before: a colour says that something has changed that is shown. */
export function isWorse(now: Day, before: Day): boolean {
  const isMore = now.unserved * Math.max(1, before.requests) > before.unserved * now.requests;
  return isMore && shareText(now.unserved, now.requests) !== shareText(before.unserved, before.requests);
}
