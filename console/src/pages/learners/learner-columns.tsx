import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import type { Column } from '../../parts/table.tsx';
import { messages } from './messages.ts';

type Learner = ResponseOf<'listLearners'>['data'][number];

export function learnerColumns(brandId: string): readonly Column<Learner>[] {
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
