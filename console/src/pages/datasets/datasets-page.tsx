import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { datasetNames } from '../../generated/datasets.ts';
import { Button } from '../../parts/button.tsx';
import { DayGrid, type GridDay } from '../../parts/day-grid.tsx';
import { ErrorNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';
import { DayHistory } from './day-history.tsx';
import {
  addDays,
  type DatasetDay,
  type DayState,
  dayStateOf,
  shapeOfDay,
  toneOfDay,
  useAggregation,
} from './day-state.ts';

const states = {
  final: 'aggregated',
  dirty: 'uncounted events',
  missing: 'not aggregated',
  dropped: 'events dropped',
} as const;

type Dataset = (typeof datasetNames)[number];

function labelOf(dataset: Dataset): string {
  const words = dataset === 'content_engagement' ? 'engagement' : dataset.replaceAll('_', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

const labels = Object.fromEntries(datasetNames.map((name) => [name, labelOf(name)]));

const route = getRouteApi('/brands/$brandId/datasets');
/** A day of every month of a year. */
const shownDays = 366;

/** The calendar of a brand's datasets. The selected days and the year are in the address. */
export function DatasetsPage() {
  const { brandId } = route.useParams();
  const { until, from, to } = route.useSearch();
  const last = until ?? addDays(new Date().toISOString().slice(0, 10), -1);
  const range = { from: addDays(last, 1 - shownDays), to: last };
  const days = useApi(
    'listDatasetDays',
    { path: [brandId], query: { ...range, per_page: shownDays } },
    { refreshMs: 15_000 },
  );
  return (
    <Page title="Datasets" lead="A day counts once it is aggregated: at night, or from here.">
      <Loaded query={days}>
        {({ data }) => (
          <Calendar
            brandId={brandId}
            days={data}
            from={from ?? last}
            to={to ?? from ?? last}
            earlier={addDays(range.from, -1)}
            later={until === undefined ? undefined : addDays(last, shownDays)}
          />
        )}
      </Loaded>
    </Page>
  );
}

interface Props {
  readonly brandId: string;
  /** Newest first. */
  readonly days: readonly DatasetDay[];
  readonly from: string;
  readonly to: string;
  readonly earlier: string;
  readonly later: string | undefined;
}

function Calendar({ brandId, days, from, to, earlier, later }: Props) {
  const navigate = useNavigate({ from: '/brands/$brandId/datasets' });
  const cells = useMemo(() => cellsOf(days, from), [days, from]);
  const selected = days.filter(({ date }) => date >= from && date <= to);

  function select(date: string, isExtended: boolean): void {
    const next = isExtended
      ? date < from
        ? { from: date, to }
        : { from, to: date }
      : { from: date, to: date };
    void navigate({ search: (search) => ({ ...search, ...next }), replace: true });
  }

  return (
    <div className="section">
      <DayGrid label="Calendar" days={cells} from={from} to={to} onSelect={select} />
      <div className="form-row">
        <Link to="." search={{ until: earlier } as never} className="button" rel="prev">
          Earlier
        </Link>
        {later !== undefined && (
          <Link
            to="."
            search={{ until: isFuture(later) ? undefined : later } as never}
            className="button"
            rel="next"
          >
            Later
          </Link>
        )}
        <Legend />
      </div>
      <p className="hint">Arrow keys move, Shift with them selects a range, Enter selects one day.</p>
      <Aggregate brandId={brandId} selected={selected} dirty={days.filter(({ dirty }) => dirty)} />
      <DataTable caption="Days" columns={dayColumns} rows={selected} rowKey={({ date }) => date} />
      {from === to && <DayHistory brandId={brandId} day={from} datasets={labels} />}
    </div>
  );
}

/**
 * Returns the cells of the calendar, oldest first, shaded by their rows against the day that has most. It begins with the first
 * month that has anything or is selected, three months ago at the latest.
 */
function cellsOf(days: readonly DatasetDay[], from: string): readonly GridDay[] {
  const oldest = days.findLast((day) => dayStateOf(day) !== 'missing')?.date ?? from;
  const [first = from] = [oldest, from, days[92]?.date ?? from].sort();
  const rowsOf = ({ rows }: DatasetDay) => (rows === null ? 0 : rows.users + rows.content_engagement);
  const most = Math.max(1, ...days.map(rowsOf));
  const shown = days.filter(({ date }) => date.slice(0, 7) >= first.slice(0, 7));
  return shown.toReversed().map((day) => {
    const state = dayStateOf(day);
    const rows = rowsOf(day);
    return {
      date: day.date,
      shape: shapeOfDay[state],
      label: rows === 0 ? states[state] : `${states[state]}, ${counted(rows, 'row', 'rows')} of learners`,
      tone: toneOfDay[state],
      amount: Math.ceil((4 * rows) / most),
    };
  });
}

function isFuture(day: string): boolean {
  return day >= new Date().toISOString().slice(0, 10);
}

/** The shapes of the calendar in words. */
function Legend() {
  return (
    <ul className="legend-list">
      {(Object.keys(shapeOfDay) as DayState[]).map((state) => (
        <li key={state} className="state" data-tone={toneOfDay[state]}>
          <span aria-hidden="true">{shapeOfDay[state]}</span> {states[state]}
        </li>
      ))}
    </ul>
  );
}

interface AggregateProps {
  readonly brandId: string;
  readonly selected: readonly DatasetDay[];
  /** All days of the calendar with uncounted events. */
  readonly dirty: readonly DatasetDay[];
}

/** Aggregates the selected days, or all days with uncounted events. Long ranges become a job. */
function Aggregate({ brandId, selected, dirty }: AggregateProps) {
  const aggregation = useAggregation(brandId);
  const mayChange = useMayChange();
  const possible = selected.filter(({ events_dropped }) => !events_dropped);

  function aggregate(days: readonly DatasetDay[]): void {
    const dates = days.map(({ date }) => date);
    aggregation.mutate(dates, {
      onSuccess: ({ days: count }) =>
        count > 0 && toast(`${counted(count, 'day is', 'days are')} aggregated.`),
    });
  }

  if (!mayChange) return null;
  const { isPending, data, error } = aggregation;
  return (
    <div className="section" aria-live="polite">
      <div className="form-row">
        <Button
          kind="primary"
          disabled={isPending || possible.length === 0}
          onClick={() => aggregate(possible)}
        >
          {isPending
            ? 'Aggregating…'
            : possible.length === 1
              ? 'Aggregate this day'
              : `Aggregate these ${possible.length} days`}
        </Button>
        {dirty.length > 0 && (
          <Button disabled={isPending} onClick={() => aggregate(dirty)}>
            {dirty.length === 1
              ? 'Aggregate the day with uncounted events'
              : `Aggregate the ${dirty.length} days with uncounted events`}
          </Button>
        )}
      </div>
      {data != null && data.jobId !== null && (
        <p className="note">
          The range is aggregated by a job.{' '}
          <Link to="/jobs/$jobId" params={{ jobId: data.jobId }}>
            Open the job
          </Link>
        </p>
      )}
      {error !== null && <ErrorNote problem={error} />}
    </div>
  );
}

const dayColumns: readonly Column<DatasetDay>[] = [
  { header: 'Day', isMono: true, text: ({ date }) => date },
  {
    header: 'State',
    cell: (day) => {
      const state = dayStateOf(day);
      return <StateMark tone={toneOfDay[state]}>{states[state]}</StateMark>;
    },
  },
  {
    header: 'Uncounted events',
    align: 'end',
    cell: ({ late_events }) => (late_events === 0 ? <Nothing /> : figure(late_events)),
  },
  ...datasetNames.map(
    (dataset): Column<DatasetDay> => ({
      header: labelOf(dataset),
      align: 'end',
      isExtra: true,
      cell: ({ rows, revisions }) =>
        rows === null ? (
          <Nothing />
        ) : (
          <span title={`Revision ${revisions?.[dataset]}`}>{figure(rows[dataset])}</span>
        ),
    }),
  ),
  { header: 'Refreshed', at: ({ refreshed_at }) => refreshed_at },
];

function Nothing() {
  return <span className="soft">–</span>;
}
