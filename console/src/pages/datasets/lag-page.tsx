import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyNote } from '../../parts/empty-note.tsx';
import { Page } from '../../parts/page.tsx';
import { PagedTable } from '../../parts/paged-table.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Lag = ResponseOf<'listDatasetLags'>['data'][number];

const route = getRouteApi('/datasets');
const words = messages.lag;

const columns: readonly Column<Lag>[] = [
  {
    header: words.brand,
    cell: ({ brand_id, name }) => (
      <Link to="/brands/$brandId/datasets" params={{ brandId: String(brand_id) }} data-row-link>
        {name}
      </Link>
    ),
  },
  {
    header: words.behind,
    cell: ({ days_behind }) =>
      days_behind === null ? (
        <StateMark tone="off">{words.nothing}</StateMark>
      ) : (
        <StateMark tone={days_behind === 0 ? 'good' : 'warn'}>
          {days_behind === 0 ? words.upToDate : days_behind}
        </StateMark>
      ),
  },
  {
    header: words.dirty,
    cell: ({ dirty_days }) =>
      dirty_days === 0 ? <span className="soft">–</span> : <StateMark tone="warn">{dirty_days}</StateMark>,
  },
  {
    header: words.latest,
    isExtra: true,
    cell: ({ latest_date }) => <span className="mono">{latest_date ?? '–'}</span>,
  },
];

/** The age of the datasets of all brands. */
export function LagPage() {
  const { page } = route.useSearch();
  const lags = useApi('listDatasetLags', { query: { page, per_page: 50 } }, { refreshMs: 30_000 });
  return (
    <Page title={words.title} lead={words.lead}>
      <PagedTable
        query={lags}
        caption={words.table}
        columns={columns}
        rowKey={({ brand_id }) => String(brand_id)}
        empty={<EmptyNote title={words.empty} />}
      />
    </Page>
  );
}
