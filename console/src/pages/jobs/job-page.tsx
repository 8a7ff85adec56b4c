import { getRouteApi, Link } from '@tanstack/react-router';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { BrandLink, FeedLink } from '../../parts/links.tsx';
import { ErrorNote, Loaded } from '../../parts/loaded.tsx';
import { Moment } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { WorkState } from '../../parts/state-mark.tsx';
import { toast } from '../../parts/toast.ts';
import { History } from '../audit/history.tsx';

const route = getRouteApi('/jobs/$jobId');
const refreshMs = 3000;

/** One job: its state, arguments, result, and the whole error. */
export function JobPage() {
  const { jobId } = route.useParams();
  const job = useApi('getJob', { path: [jobId] }, { refreshMs });
  const retry = useChange('retryJob');
  const mayChange = useMayChange();
  return (
    <Page
      title={job.data?.queue ?? '…'}
      aside={job.data !== undefined && <JobFacts job={job.data} />}
      actions={
        mayChange &&
        job.data?.state === 'failed' && (
          <Button
            kind="primary"
            disabled={retry.isPending}
            onClick={() =>
              retry.mutate({ path: [jobId] }, { onSuccess: () => toast('The job is queued again.') })
            }
          >
            Retry
          </Button>
        )
      }
    >
      {retry.isError && <ErrorNote problem={retry.error} />}
      <Loaded query={job}>
        {(data) => (
          <div className="section">
            <Json title="Arguments" value={data.data} />
            <Json title="Result" value={data.result} />
            {data.error !== null && (
              <>
                <h2>Error</h2>
                <pre>{data.error}</pre>
              </>
            )}
            <History type="job" id={jobId} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

/** The facts of a job, with links to the brand and the feed of its arguments, and to the days of an aggregation. */
function JobFacts({ job }: { readonly job: ResponseOf<'getJob'> }) {
  const { brand_id: brandId, feed_id: feedId, from, to } = job.data ?? {};
  const params = { brandId: String(brandId) };
  const hasBrand = Number(brandId ?? 0) > 0;
  return (
    <Facts
      items={{
        State: <WorkState state={job.state} />,
        Brand: hasBrand && <BrandLink brandId={Number(brandId)} />,
        Feed: hasBrand && typeof feedId === 'string' && (
          <FeedLink brandId={Number(brandId)} feedId={feedId} />
        ),
        Days: hasBrand && typeof from === 'string' && typeof to === 'string' && (
          <Link to="/brands/$brandId/datasets" params={params} search={{ from, to }}>
            {from} – {to}
          </Link>
        ),
        Job: <CopyableId id={job.id} />,
        Created: <Moment at={job.created_at} />,
        Started: <Moment at={job.started_at} />,
        Finished: <Moment at={job.finished_at} />,
        Retries: job.retries,
      }}
    />
  );
}

interface JsonProps {
  readonly title: string;
  readonly value: Readonly<Record<string, unknown>> | null;
}

function Json({ title, value }: JsonProps) {
  if (value === null || Object.keys(value).length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </>
  );
}
