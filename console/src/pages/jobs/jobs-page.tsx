import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { BrandFilter, ChoiceFilter, choicesOf, FilterBar, plainChoices } from '../../parts/filters.tsx';
import { BrandLink } from '../../parts/links.tsx';
import { EmptyNote } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { WorkState } from '../../parts/state-mark.tsx';
import { type Column, PagedTable } from '../../parts/table.tsx';
import { toast } from '../../parts/toast.ts';

const route = getRouteApi('/jobs');
const states = choicesOf({ queued: 'Queued', running: 'Running', failed: 'Failed' });
const refreshMs = 5000;

/** The jobs that wait, run or have failed. */
export function JobsPage() {
  const { state, queue, brand, sort, page } = route.useSearch();
  // The server knows the kinds; one that it does not know is its 422, shown like any other error.
  const filter = { state, queue: queue as never, brand_id: brand };
  const jobs = useApi(
    'listJobs',
    { query: { ...filter, group: true, sort, page, per_page: 50 } },
    { refreshMs },
  );
  const failed = useApi('listJobs', { query: { ...filter, state: 'failed', per_page: 1 } }, { refreshMs });
  const retryAll = useChange('retryJobs');
  const mayChange = useMayChange();
  const count = failed.data?.meta.total ?? 0;
  const kinds = [...new Set([...(jobs.data?.data ?? []).map((one) => one.queue), ...(queue ? [queue] : [])])];
  return (
    <Page
      title="Jobs"
      lead="Work in the background: feeds, aggregations, clean-up. Jobs that failed for the same reason are one row. Completed jobs are not listed."
      actions={
        mayChange &&
        count > 0 && (
          <ConfirmButton
            label={retryAllText(count)}
            title={`${retryAllText(count)}?`}
            action="Retry"
            kind="primary"
            onConfirm={() =>
              retryAll
                .mutateAsync({ body: { ...filter, state: 'failed' } })
                .then(({ retried }) => toast(`${counted(retried, 'job is', 'jobs are')} queued again.`))
            }
          >
            Each begins again, with the filters of this list.
          </ConfirmButton>
        )
      }
    >
      <div className="section">
        <FilterBar>
          <ChoiceFilter label="State" name="state" value={state} choices={states} />
          <ChoiceFilter label="Kind" name="queue" value={queue} choices={plainChoices(kinds)} isFree />
          <BrandFilter value={brand} />
        </FilterBar>
        <PagedTable
          query={jobs}
          caption="Jobs"
          columns={jobColumns}
          rowKey={({ id }) => id}
          noneMatch="No job matches the filters"
          empty={<EmptyNote title="No job is waiting, running or failed" />}
        />
      </div>
    </Page>
  );
}

type Job = ResponseOf<'listJobs'>['data'][number];

export const jobColumns: readonly Column<Job>[] = [
  {
    header: 'Kind',
    text: ({ queue }) => queue,
    cell: ({ id, queue }) => (
      <Link to="/jobs/$jobId" params={{ jobId: id }} data-row-link>
        {queue}
      </Link>
    ),
  },
  {
    header: 'Brand',
    text: ({ data }) => String(data?.['brand_id'] ?? ''),
    cell: ({ data }) => data?.['brand_id'] != null && <BrandLink brandId={Number(data['brand_id'])} />,
  },
  {
    header: 'State',
    text: ({ state }) => state,
    phone: 'state',
    cell: ({ state, count = 1, first_at }) => (
      <>
        <WorkState state={state} />
        {count > 1 && first_at !== undefined && (
          <span className="soft">
            {' '}
            {figure(count)} times since <Moment at={first_at} />
          </span>
        )}
      </>
    ),
  },
  { header: 'Jobs', align: 'end', sort: '-count', isExtra: true, text: ({ count = 1 }) => count },
  {
    header: 'Last',
    phone: 'figure',
    sort: '-last_at',
    isUsualSort: true,
    at: ({ last_at, created_at }) => last_at ?? created_at,
  },
  { header: 'Retries', align: 'end', sort: '-retries', isExtra: true, text: ({ retries }) => retries },
  {
    header: 'Runs next',
    sort: 'next_run_at',
    isExtra: true,
    at: ({ next_run_at }) => next_run_at,
    cell: ({ next_run_at }) => <Moment at={next_run_at} absent="–" />,
  },
  {
    header: 'Error',
    text: ({ error }) => error,
    isExtra: true,
    cell: ({ error }) => (
      <span className="cut" title={error ?? undefined}>
        {error?.split('\n')[0]}
      </span>
    ),
  },
];

function retryAllText(count: number): string {
  return count === 1 ? 'Retry the failed job' : `Retry all ${count} failed jobs`;
}
