import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, choicesOf, FilterBar, TextFilter } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';

const route = getRouteApi('/brands/$brandId/learners');

const outs = choicesOf({ true: 'opted out', false: 'counted' });

/** The learners of a brand. */
export function LearnersPage() {
  const { brandId } = route.useParams();
  const { learner, market, out, sort, page } = route.useSearch();
  const query = { tu_id: learner, market, opted_out: out === undefined ? undefined : out === 'true' };
  const learners = useApi('listLearners', { path: [brandId], query: { ...query, sort, page, per_page: 50 } });
  const columns = useMemo(() => learnerColumns(brandId), [brandId]);
  const mayChange = useMayChange();
  return (
    <Page
      title="Learners"
      lead="Only ids are stored: no name, no address."
      actions={
        mayChange && (
          <Link to="/brands/$brandId/learners/opt-out" params={{ brandId }} className="button">
            Opt out a list
          </Link>
        )
      }
    >
      <div className="section">
        <FilterBar>
          <TextFilter label="Learner id" name="learner" value={learner} isMono />
          <TextFilter label="Market" name="market" value={market} isMono />
          <ChoiceFilter label="Analytics" name="out" value={out} choices={outs} />
        </FilterBar>
        <PagedTable
          query={learners}
          caption="Learners"
          columns={columns}
          rowKey={({ tu_id }) => tu_id}
          noneMatch="No learner matches the filters"
          empty={
            <EmptyNote title="No learner yet" text="The directory of learners is sent by the platform." />
          }
        />
      </div>
    </Page>
  );
}

type Learner = ResponseOf<'listLearners'>['data'][number];

function learnerColumns(brandId: string): readonly Column<Learner>[] {
  return [
    {
      header: 'Learner',
      sort: 'tu_id',
      isUsualSort: true,
      text: ({ tu_id }) => tu_id,
      cell: ({ tu_id }) => (
        <Link
          to="/brands/$brandId/learners/$tuId"
          params={{ brandId, tuId: tu_id }}
          className="mono"
          data-row-link
        >
          {tu_id}
        </Link>
      ),
    },
    {
      header: 'Analytics',
      text: ({ analytics_opt_out }) => (analytics_opt_out ? 'opted_out' : 'counted'),
      cell: ({ analytics_opt_out }) => <Counted isOut={analytics_opt_out} />,
    },
    {
      header: 'Market',
      isMono: true,
      text: ({ market }) => market,
    },
    { header: 'Changed', isExtra: true, at: ({ updated_at }) => updated_at },
  ];
}

/** Says if the analytics count a learner. */
export function Counted({ isOut }: { readonly isOut: boolean }) {
  return <StateMark tone={isOut ? 'off' : 'good'}>{isOut ? 'opted out' : 'counted'}</StateMark>;
}
