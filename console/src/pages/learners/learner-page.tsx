import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { RequestLink } from '../../parts/links.tsx';
import { EmptyNote, ErrorNote, Loaded } from '../../parts/loaded.tsx';
import { counted, figure } from '../../parts/messages.ts';
import { Moment, utcOf } from '../../parts/moment.tsx';
import { MoreActions } from '../../parts/more-actions.tsx';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';
import { History } from '../audit/history.tsx';
import { useAggregation } from '../datasets/day-state.ts';
import { Counted } from './learners-page.tsx';

type Erasure = NonNullable<ResponseOf<'deleteLearner'>>;

const route = getRouteApi('/brands/$brandId/learners/$tuId');

/** One learner: opt-out, activity, and days that still count who has opted out. */
export function LearnerPage() {
  const { brandId, tuId } = route.useParams();
  // Kept nowhere else, neither here nor on the server.
  const [receipt, setReceipt] = useState<Erasure | null>(null);
  const learner = useApi('getLearner', { path: [brandId, tuId] }, { isEnabled: receipt === null });
  const put = useChange('putLearners');
  const mayChange = useMayChange();
  const isOut = learner.data?.analytics_opt_out ?? false;
  if (learner.error?.status === 404)
    return (
      <Page title={tuId}>
        <EmptyNote title="The brand has no such learner" text="It was erased, or the id is mistyped." />
      </Page>
    );
  if (receipt !== null) return <Receipt brandId={brandId} receipt={receipt} />;
  return (
    <Page
      title={tuId}
      aside={learner.data !== undefined && <LearnerFacts learner={learner.data} />}
      actions={
        mayChange &&
        learner.data !== undefined && (
          <>
            <Button
              kind="primary"
              disabled={put.isPending}
              onClick={() =>
                put.mutate(
                  { path: [brandId], body: { items: [{ tu_id: tuId, analytics_opt_out: !isOut }] } },
                  {
                    onSuccess: () =>
                      toast(
                        isOut
                          ? 'The learner is counted again.'
                          : 'The learner is excluded from all analytics from now on.',
                      ),
                  },
                )
              }
            >
              {isOut ? 'Opt back in' : 'Opt out of analytics'}
            </Button>
            <Erasing
              stale={learner.data.stale_aggregate_days.length}
              onErased={(done) => setReceipt(done ?? null)}
            />
          </>
        )
      }
    >
      {put.isError && <ErrorNote problem={put.error} />}
      <Loaded query={learner}>
        {(data) => (
          <div className="section">
            {data.analytics_opt_out && <StaleDays brandId={brandId} days={data.stale_aggregate_days} />}
            <History
              type="learner"
              id={tuId}
              brandId={brandId}
              none="No change of the opt-out is recorded."
            />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

interface EraseProps {
  /** The number of aggregated days that still count the learner. */
  readonly stale: number;
  readonly onErased: (receipt: ResponseOf<'deleteLearner'>) => void;
}

/** The menu that erases the learner, after its id was typed. */
function Erasing({ stale, onErased }: EraseProps) {
  const { brandId, tuId } = route.useParams();
  const erase = useChange('deleteLearner', { leavesPage: true });
  const queries = useQueryClient();

  async function submit(): Promise<void> {
    onErased(await erase.mutateAsync({ path: [brandId, tuId], prefer: 'return=representation' }));
    queries.removeQueries({ queryKey: ['getLearner', [brandId, tuId]] });
  }

  return (
    <MoreActions
      actions={[
        {
          id: 'erase',
          label: 'Erase',
          isDanger: true,
          question: {
            title: `Erase ${tuId}?`,
            typed: tuId,
            onConfirm: submit,
            children: (
              <>
                The learner disappears from the directory, the raw events and the user-level datasets.
                Aggregates keep their totals. This cannot be undone.
                {stale > 0 && (
                  <p>
                    {counted(stale, 'aggregated day still counts', 'aggregated days still count')} this
                    learner: aggregate them first, or from the receipt.
                  </p>
                )}
              </>
            ),
          },
        },
      ]}
    />
  );
}

interface StaleProps {
  readonly brandId: string;
  readonly days: readonly string[];
}

/** The days whose totals still include a learner who has opted out, and a button that aggregates exactly these. */
function StaleDays({ brandId, days }: StaleProps) {
  const { mutate, isPending, error } = useAggregation(brandId);
  const mayChange = useMayChange();
  return (
    <section className="section" aria-labelledby="stale">
      <h2 id="stale">Days that still count this learner</h2>
      {days.length === 0 ? (
        <p className="soft">No aggregated day is older than the exclusion.</p>
      ) : (
        <>
          <p className="soft">
            These days were aggregated before the exclusion. Aggregate them again to remove the learner from
            their totals.
          </p>
          <ul className="day-list">
            {days.map((day) => (
              <li key={day} className="mono">
                {day}
              </li>
            ))}
          </ul>
          {error !== null && <ErrorNote problem={error} />}
          {mayChange && (
            <div className="form-row">
              <Button
                kind="primary"
                disabled={isPending}
                onClick={() =>
                  mutate(days, {
                    onSuccess: () => toast(`${counted(days.length, 'day is', 'days are')} aggregated again.`),
                  })
                }
              >
                {isPending
                  ? 'Aggregating…'
                  : days.length === 1
                    ? 'Aggregate this day again'
                    : `Aggregate these ${days.length} days again`}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

function LearnerFacts({ learner: data }: { readonly learner: ResponseOf<'getLearner'> }) {
  return (
    <Facts
      items={{
        Learner: <CopyableId id={data.tu_id} />,
        Analytics: <Counted isOut={data.analytics_opt_out} />,
        Market: <span className="mono">{data.market ?? '–'}</span>,
        'First active day': data.first_day ?? 'no activity',
        'Last active day': data.last_day ?? 'no activity',
        Created: <Moment at={data.created_at} />,
        Changed: <Moment at={data.updated_at} />,
      }}
    />
  );
}

interface ReceiptProps {
  readonly brandId: string;
  readonly receipt: Erasure;
}

/** Proves an erasure, to print or to save: it is stored nowhere. Days that still count the learner can be aggregated. */
function Receipt({ brandId, receipt }: ReceiptProps) {
  const [isSaved, setSaved] = useState(false);
  const days = receipt.days_to_aggregate;

  function printReceipt(): void {
    print();
    setSaved(true);
  }

  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Page
      title={`${receipt.tu_id} is erased`}
      lead="This receipt is kept nowhere: print it, or save it."
      actions={
        <>
          <a
            className="button"
            data-kind="primary"
            href={file}
            download={`erased-${receipt.tu_id}.json`}
            onClick={() => setSaved(true)}
          >
            Save the receipt
          </a>
          <MoreActions
            actions={[
              { id: 'print', label: 'Print', onSelect: printReceipt },
              { id: 'list', label: 'To the list', to: `/brands/${brandId}/learners` },
            ]}
          />
        </>
      }
    >
      <LeaveGuard isOn={!isSaved} text="The receipt is shown only here." />
      <Facts
        items={{
          Learner: <CopyableId id={receipt.tu_id} />,
          Erased: utcOf(receipt.erased_at),
          By: receipt.by,
          Request: <RequestLink id={receipt.request_id} />,
          'Learning events removed': figure(receipt.events),
          'Rows of datasets removed': figure(receipt.rows),
        }}
      />
      {days.length > 0 && <StaleDays brandId={brandId} days={days} />}
    </Page>
  );
}
