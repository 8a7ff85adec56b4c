import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useAllPages } from '../../api/use-api.ts';
import { EmptyNote, Loaded } from '../../parts/loaded.tsx';
import { counted } from '../../parts/messages.ts';
import { Page } from '../../parts/page.tsx';
import { SortChoice } from '../../parts/pager.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, DataTable } from '../../parts/table.tsx';

const route = getRouteApi('/datasets');

type Lag = ResponseOf<'listDatasetLags'>['data'][number];

const columns: readonly Column<Lag>[] = [
  {
    header: 'Brand',
    sort: 'name',
    cell: ({ brand_id, name }) => (
      <Link to="/brands/$brandId/datasets" params={{ brandId: String(brand_id) }} data-row-link>
        {name}
      </Link>
    ),
  },
  {
    header: 'Days behind',
    sort: '-days_behind',
    cell: ({ days_behind }) =>
      days_behind === null ? (
        <StateMark tone="off">nothing aggregated</StateMark>
      ) : (
        <StateMark tone={days_behind === 0 ? 'good' : 'warn'}>
          {days_behind === 0 ? 'up to date' : days_behind}
        </StateMark>
      ),
  },
  {
    header: 'Days with uncounted events',
    sort: '-dirty_days',
    cell: ({ dirty_days }) =>
      dirty_days === 0 ? <span className="soft">–</span> : <StateMark tone="warn">{dirty_days}</StateMark>,
  },
  {
    header: 'Latest day',
    isExtra: true,
    cell: ({ latest_date }) => <span className="mono">{latest_date ?? '–'}</span>,
  },
];

/** The sort keys of the page, which has all rows. A brand without an aggregated day is furthest behind. */
const sortValues = {
  name: ({ name }: Lag) => name,
  days_behind: ({ days_behind }: Lag) => days_behind ?? 1e9,
  dirty_days: ({ dirty_days }: Lag) => dirty_days,
} as const;

const collator = new Intl.Collator(undefined, { numeric: true });

const table = { caption: 'Age of the datasets', columns, rowKey: ({ brand_id }: Lag) => String(brand_id) };

/** The age of the datasets of all brands: behind, with uncounted events, up to date; those without any day are folded. */
export function LagPage() {
  const { sort = '' } = route.useSearch();
  const keyOf = sortValues[sort.replace('-', '') as keyof typeof sortValues] ?? rankOf;
  const direction = sort === '' || sort.startsWith('-') ? -1 : 1;
  const order = (one: Lag, other: Lag) =>
    direction * collator.compare(String(keyOf(one)), String(keyOf(other)));
  const lags = useAllPages('listDatasetLags', {}, { refreshMs: 30_000 });
  return (
    <Page
      title="Datasets"
      lead="Brands that are behind come first, then those with uncounted events: events that no aggregation has included."
    >
      <Loaded query={lags}>
        {({ rows }) => {
          const used = rows.filter(isUsed).sort(order);
          const unused = rows.filter((lag) => !isUsed(lag));
          return rows.length === 0 ? (
            <EmptyNote title="No brand yet" />
          ) : (
            <>
              <SortChoice columns={columns} />
              {used.length > 0 && <DataTable {...table} rows={used} isSortable />}
              {unused.length > 0 && (
                <details open={used.length === 0}>
                  <summary>{counted(unused.length, 'brand', 'brands')} without any aggregated day</summary>
                  <DataTable {...table} rows={unused} />
                </details>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** A brand whose events wait for their first aggregation is not unused. */
const isUsed = ({ days_behind, dirty_days }: Lag) => days_behind !== null || dirty_days > 0;
const rankOf = ({ days_behind, dirty_days }: Lag) => (days_behind ?? 0) * 1e6 + dirty_days;
