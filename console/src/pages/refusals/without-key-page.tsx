import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, choicesOf, FilterBar, TextFilter, TimeRange } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';

const route = getRouteApi('/without-key');
const refreshMs = 10_000;

/** The reasons of the API in words. */
const reasonWords: Readonly<Record<string, string>> = {
  wrong_secret: 'the secret is wrong',
  unknown: 'no key has this id',
  malformed: 'the token has no form of a key',
  feed_token: 'a token of the legacy feed',
  not_looked_up: 'a token on a path that does not exist',
};
const reasons = choicesOf(reasonWords);

/** Who tries the client API without a key that works: counts by minute, network and reason, the latest first. */
export function WithoutKeyPage() {
  const { page, not_understood: _, ...filters } = route.useSearch();
  const refusals = useApi(
    'listUnverifiedRefusals',
    { query: { ...filters, page, per_page: 50 } },
    { refreshMs },
  );
  return (
    <Page
      title="Requests without a key"
      lead={
        <>
          Refused requests that had no valid key, so they are of no brand. Those with one are{' '}
          <Link to="/requests">Requests</Link>.
        </>
      }
    >
      <div className="section">
        <FilterBar>
          <TextFilter label="Network" name="network" value={filters.network} isMono />
          <ChoiceFilter label="Reason" name="reason" value={filters.reason} choices={reasons} />
          <TimeRange from={filters.from} to={filters.to} />
        </FilterBar>
        <PagedTable
          query={refusals}
          caption="Requests without a key"
          columns={columns}
          rowKey={({ minute, network, reason }) => `${minute} ${network} ${reason}`}
          noneMatch="No request matches the filters"
          empty={
            <EmptyNote
              title="No request was refused for its key"
              text="A minute appears within ten seconds of its end, as far back as refusals are kept."
            />
          }
        />
      </div>
    </Page>
  );
}

type Row = ResponseOf<'listUnverifiedRefusals'>['data'][number];

const columns: readonly Column<Row>[] = [
  { header: 'Minute', sort: '-minute', isUsualSort: true, at: ({ minute }) => minute },
  { header: 'Network', sort: 'network', isMono: true, isExtra: true, text: ({ network }) => network },
  {
    header: 'Reason',
    text: ({ reason }) => reason,
    cell: ({ reason, network }) => (
      <>
        {reasonWords[reason] ?? reason}
        <span className="only-phone soft mono"> {network}</span>
      </>
    ),
  },
  { header: 'Requests', align: 'end', sort: '-count', text: ({ count }) => count },
];
