import { Suspense, useMemo } from 'react';
import type { ResponseOf } from '../api/call.ts';
import { lazyPage } from '../app/lazy-page.ts';
import { type ActivityChart, chartsOf, activityMessages as words } from './activity-sums.ts';

interface Props {
  /** undefined: not read yet. It is added below what the page is about, so it does not say that it loads. */
  readonly activity: ResponseOf<'getActivity'> | undefined;
}

/** The hours that are read: a day, and the day before. */
export const activityHours = { hours: 48 };
export const activityRefreshMs = 60_000;

const TimeChart = lazyPage(() => import('./time-chart.tsx'), 'TimeChart');

/** Charts of the last 24 hours, each with its total and that of the day before. */
export function Activity({ activity }: Props) {
  const charts = useMemo(() => activity && chartsOf(activity.data), [activity]);
  if (charts === undefined) return null;
  return (
    <section className="section" aria-labelledby="activity">
      <h2 id="activity">{words.title}</h2>
      {charts.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <div className="columns">
          {charts.map((chart) => (
            <Chart key={chart.label} chart={chart} />
          ))}
        </div>
      )}
    </section>
  );
}

function Chart({ chart: { label, total, before, times, series } }: { readonly chart: ActivityChart }) {
  const text = words.total(label, total, before);
  return (
    <div>
      <p>{text}</p>
      <Suspense fallback={<div className="chart" />}>
        <TimeChart times={times} series={series} label={text} />
      </Suspense>
    </div>
  );
}
