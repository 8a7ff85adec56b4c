import { getRouteApi, Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { ChoiceFilter, FilterBar, TextFilter } from '../../parts/filters.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { messages } from './messages.ts';

const route = getRouteApi('/brands/$brandId/learners');
const words = messages.filters;

const outs = [
  { value: 'true', label: messages.excluded },
  { value: 'false', label: messages.counted },
];

/** The learners of a brand. */
export function LearnersPage() {
  const { brandId } = route.useParams();
  const { learner, market, out, page } = route.useSearch();
  const query = { tu_id: learner, market, opted_out: out === undefined ? undefined : out === 'true' };
  const learners = useApi('listLearners', { path: [brandId], query: { ...query, page, per_page: 50 } });
  const columns = useMemo(() => learnerColumns(brandId), [brandId]);
  const mayChange = useMayChange();
  return (
    <Page
      title={messages.title}
      lead={messages.lead}
      actions={
        mayChange && (
          <Link to="/brands/$brandId/learners/opt-out" params={{ brandId }} className="button">
            {messages.bulk.link}
          </Link>
        )
      }
    >
      <div className="section">
        <FilterBar>
          <TextFilter label={words.tuId} name="learner" value={learner} isMono />
          <TextFilter label={words.market} name="market" value={market} isMono />
          <ChoiceFilter label={words.optedOut} name="out" value={out} choices={outs} />
        </FilterBar>
        <PagedTable
          query={learners}
          caption={messages.table}
          columns={columns}
          rowKey={({ tu_id }) => tu_id}
          noneMatch={messages.noneMatch}
          empty={<EmptyNote title={messages.empty} text={messages.emptyText} />}
        />
      </div>
    </Page>
  );
}

type Learner = ResponseOf<'listLearners'>['data'][number];

function learnerColumns(brandId: string): readonly Column<Learner>[] {
  return [
    {
      header: messages.id,
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
    { header: messages.optOut, cell: ({ analytics_opt_out }) => <Counted isOut={analytics_opt_out} /> },
    { header: messages.market, cell: ({ market }) => <span className="mono">{market ?? '–'}</span> },
    { header: messages.changed, isExtra: true, cell: ({ updated_at }) => <Moment at={updated_at} /> },
  ];
}

/** Says if the analytics count a learner. */
export function Counted({ isOut }: { readonly isOut: boolean }) {
  return <StateMark tone={isOut ? 'off' : 'good'}>{isOut ? messages.excluded : messages.counted}</StateMark>;
}
