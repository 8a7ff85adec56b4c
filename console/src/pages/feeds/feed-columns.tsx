import { Link } from '@tanstack/react-router';
import type { Column } from '../../parts/data-table.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { StateMark } from '../../parts/state-mark.tsx';
import { FeedStatus } from './feed-status.tsx';
import { type Feed, failedLines } from './line-results.ts';
import { messages } from './messages.ts';

export const feedColumns: readonly Column<Feed>[] = [
  {
    id: 'batch',
    header: messages.batch,
    cell: ({ brand_id, feed_id, batch_id }) => (
      <Link
        to="/brands/$brandId/feeds/$feedId"
        params={{ brandId: String(brand_id), feedId: feed_id }}
        className="mono cut"
        title={batch_id}
        data-row-link
      >
        {batch_id}
      </Link>
    ),
  },
  { id: 'status', header: messages.status, cell: ({ status }) => <FeedStatus status={status} /> },
  { id: 'source', header: messages.source, isExtra: true, cell: ({ source }) => source },
  {
    id: 'received',
    header: messages.received,
    isExtra: true,
    cell: ({ received_at }) => <Moment at={received_at} />,
  },
  {
    id: 'lines',
    header: messages.lines,
    align: 'end',
    isExtra: true,
    cell: ({ received_lines }) => figure(received_lines),
  },
  {
    id: 'failed',
    header: messages.failedLines,
    align: 'end',
    cell: (feed) => {
      const failed = failedLines(feed);
      return failed === 0 ? '0' : <StateMark tone="bad">{figure(failed)}</StateMark>;
    },
  },
];
