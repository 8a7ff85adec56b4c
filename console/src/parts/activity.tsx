import { useNavigate } from '@tanstack/react-router';
import { Suspense, useMemo } from 'react';
import type { ResponseOf } from '../api/call.ts';
import { lazyPage } from '../app/lazy-page.ts';
import { type ActivityChart, chartsOf, daysOf, activityMessages as words } from './activity-sums.ts';
import { changeText, shareText, type Tile } from './figure-tiles.tsx';
import { figure } from './messages.ts';
import { Segments } from './segments.tsx';

export type ActivityRange = keyof typeof words.ranges;

interface Props {
  /** undefined: not read yet. It is added below what the page is about, so it does not say that it loads. */
  readonly activity: ResponseOf<'getActivity'> | undefined;
  readonly range: ActivityRange;
  /** The path below `/console` of the refused requests, to which a bar leads, and of the feeds. */
  readonly refusals: string;
  readonly feeds: string;
}

/** Returns the hours that are read: those of the range, and as many before. */
export const hoursOf = (range: ActivityRange = '24') => ({ hours: 2 * Number(range) });
export const activityRefreshMs = 60_000;

const TimeChart = lazyPage(() => import('./time-chart.tsx'), 'TimeChart');

/** Charts of the last 24 or 72 hours, each with its total and that of the time before. */
export function Activity({ activity, range, refusals, feeds }: Props) {
  const charts = useMemo(() => activity && chartsOf(activity.data), [activity]);
  if (charts === undefined) return null;
  return (
    <section className="section" aria-labelledby="activity">
      <div className="section-head">
        <h2 id="activity">{words.title}</h2>
        <Segments
          label={words.range}
          choices={(Object.keys(words.ranges) as ActivityRange[]).map((each) => ({
            label: words.ranges[each],
            search: { hours: each === '24' ? undefined : each },
            isCurrent: each === range,
          }))}
        />
      </div>
      {charts.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <div className="charts">
          {charts.map((chart) => (
            <Chart
              key={chart.label}
              chart={chart}
              days={Number(range) / 24}
              to={chart.label === words.requests ? refusals : chart.label === words.feedLines ? feeds : null}
            />
          ))}
        </div>
      )}
    </section>
  );
}

interface ChartProps {
  readonly chart: ActivityChart;
  readonly days: number;
  /** The list that a bar opens for its hour; null: none. */
  readonly to: string | null;
}

function Chart({ chart: { label, total, bad, before, times, series }, days, to }: ChartProps) {
  const text = words.total(label, total, before, days);
  const navigate = useNavigate();
  function open(at: number): void {
    const hour = { from: new Date(at).toISOString(), to: new Date(at + 3_599_999).toISOString() };
    const search = label === words.requests ? hour : { refused_lines: 'true', ...hour };
    void navigate({ to: to as '/', search: search as never });
  }
  return (
    <div className="section">
      <p>
        {text}
        {bad > 0 && (
          <span className="chart-share">
            {words.share(shareText(bad, total), series.at(-1)?.label ?? '')}
          </span>
        )}
      </p>
      <Suspense fallback={<div className="chart" />}>
        <TimeChart times={times} series={series} label={text} {...(to !== null && { onOpen: open })} />
      </Suspense>
    </div>
  );
}

interface TilePlaces {
  /** The list of what the requests come from. */
  readonly requests: Pick<Tile, 'to' | 'search'>;
  readonly refusals: string;
  readonly feeds: string;
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
      label: words.tiles.requests,
      value: figure(now.requests),
      note: changeText(now.requests, before.requests),
      ...requests,
    },
    {
      label: words.tiles.refused,
      value: shareText(now.unserved, now.requests),
      note: words.tiles.refusedBefore(shareText(before.unserved, before.requests)),
      tone: now.unserved > 0 ? 'bad' : undefined,
      to: refusals,
    },
    {
      label: words.tiles.failedLines,
      value: linesLeft === undefined ? '–' : figure(linesLeft),
      // A line that failed in several feeds is left once.
      note: words.tiles.ofFailed(figure(Math.max(now.refusedLines, linesLeft ?? 0))),
      tone: linesLeft ? 'warn' : undefined,
      to: feeds,
      search: { refused_lines: 'true' },
    },
  ];
}
