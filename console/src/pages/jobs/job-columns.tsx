import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import type { Column } from '../../parts/data-table.tsx';
import { Moment } from '../../parts/moment.tsx';
import { WorkState } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Job = ResponseOf<'listJobs'>['data'][number];

export const jobColumns: readonly Column<Job>[] = [
  {
    header: messages.queue,
    cell: ({ id, queue }) => (
      <Link to="/jobs/$jobId" params={{ jobId: id }} data-row-link>
        {queue}
      </Link>
    ),
  },
  { header: messages.state, cell: ({ state }) => <WorkState state={state} /> },
  { header: messages.created, cell: ({ created_at }) => <Moment at={created_at} /> },
  { header: messages.retries, align: 'end', isExtra: true, cell: ({ retries }) => retries },
  {
    header: messages.error,
    isExtra: true,
    cell: ({ error }) => (
      <span className="cut" title={error ?? undefined}>
        {error?.split('\n')[0]}
      </span>
    ),
  },
];
