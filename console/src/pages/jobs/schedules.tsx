import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { WorkState } from '../../parts/state-mark.tsx';
import { messages } from './messages.ts';

type Schedule = ResponseOf<'listSchedules'>['data'][number];

const words = messages.schedules;

const columns: readonly Column<Schedule>[] = [
  { header: messages.queue, cell: ({ queue }) => queue },
  { header: words.cron, isExtra: true, cell: ({ cron }) => <code>{cron}</code> },
  { header: words.next, cell: ({ next_run_at }) => <Moment at={next_run_at} /> },
  {
    header: words.last,
    cell: ({ last_run }) =>
      last_run === null ? (
        <span className="soft">{words.never}</span>
      ) : (
        <Link to="/jobs/$jobId" params={{ jobId: last_run.job_id }}>
          <WorkState state={last_run.state} /> <Moment at={last_run.finished_at ?? last_run.started_at} />
        </Link>
      ),
  },
];

interface Props {
  readonly query: UseQueryResult<ResponseOf<'listSchedules'>, Error>;
}

/** The schedules of the background work. */
export function Schedules({ query }: Props) {
  return (
    <section className="section" aria-labelledby="schedules">
      <h2 id="schedules">{words.title}</h2>
      <Loaded query={query}>
        {({ data }) => (
          <DataTable caption={words.table} columns={columns} rows={data} rowKey={({ queue }) => queue} />
        )}
      </Loaded>
    </section>
  );
}
