import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { useApi, useChange } from '../../api/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmButton } from '../../parts/confirm-dialog.tsx';
import { CopyableId } from '../../parts/copyable-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LeaveGuard } from '../../parts/leave-guard.tsx';
import { RequestLink } from '../../parts/links.tsx';
import { ErrorNote, Loaded } from '../../parts/loaded.tsx';
import { figure } from '../../parts/messages.ts';
import { Moment, utcOf } from '../../parts/moment.tsx';
import { Page } from '../../parts/page.tsx';
import { toast } from '../../parts/toast.ts';
import { History } from '../audit/history.tsx';
import { useAggregation } from '../datasets/day-state.ts';
import { Counted } from './learners-page.tsx';
import { messages } from './messages.ts';

type Erasure = NonNullable<ResponseOf<'deleteLearner'>>;

const route = getRouteApi('/brands/$brandId/learners/$tuId');

/** One learner: opt-out, activity, and days that still count who has opted out. */
export function LearnerPage() {
  const { brandId, tuId } = route.useParams();
  // Kept nowhere else, neither here nor on the server.
  const [receipt, setReceipt] = useState<Erasure | null>(null);
  const learner = useApi('getLearner', { path: [brandId, tuId] }, { isEnabled: receipt === null });
  const put = useChange('putLearners');
  const erase = useChange('deleteLearner', { leavesPage: true });
  const queries = useQueryClient();
  const mayChange = useMayChange();
  const isOut = learner.data?.analytics_opt_out ?? false;
  const stale = learner.data?.stale_aggregate_days.length ?? 0;
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
              disabled={put.isPending}
              onClick={() =>
                put.mutate(
                  { path: [brandId], body: { items: [{ tu_id: tuId, analytics_opt_out: !isOut }] } },
                  { onSuccess: () => toast(isOut ? messages.optedIn : messages.optedOut) },
                )
              }
            >
              {isOut ? messages.optInAction : messages.optOutAction}
            </Button>
            <ConfirmButton
              look="danger"
              title={messages.eraseTitle(tuId)}
              action={messages.erase}
              typed={tuId}
              onConfirm={async () => {
                const done = await erase.mutateAsync({
                  path: [brandId, tuId],
                  prefer: 'return=representation',
                });
                setReceipt(done ?? null);
                queries.removeQueries({ queryKey: ['getLearner', [brandId, tuId]] });
              }}
            >
              {messages.eraseText}
              {stale > 0 && <p>{messages.eraseStale(stale)}</p>}
            </ConfirmButton>
          </>
        )
      }
    >
      {put.isError && <ErrorNote problem={put.error} />}
      <Loaded query={learner}>
        {(data) => (
          <div className="section">
            {data.analytics_opt_out && <StaleDays brandId={brandId} days={data.stale_aggregate_days} />}
            <History type="learner" id={tuId} brandId={brandId} none={messages.noOptOut} />
          </div>
        )}
      </Loaded>
    </Page>
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
      <h2 id="stale">{messages.stale.title}</h2>
      {days.length === 0 ? (
        <p className="soft">{messages.stale.none}</p>
      ) : (
        <>
          <p className="soft">{messages.stale.text}</p>
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
                onClick={() => mutate(days, { onSuccess: () => toast(messages.stale.done(days.length)) })}
              >
                {isPending ? messages.stale.pending : messages.stale.action(days.length)}
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
        [messages.id]: <CopyableId id={data.tu_id} />,
        [messages.optOut]: <Counted isOut={data.analytics_opt_out} />,
        [messages.market]: <span className="mono">{data.market ?? '–'}</span>,
        [messages.firstDay]: data.first_day ?? messages.noDay,
        [messages.lastDay]: data.last_day ?? messages.noDay,
        [messages.created]: <Moment at={data.created_at} />,
        [messages.changed]: <Moment at={data.updated_at} />,
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
  const words = messages.receipt;
  const [isSaved, setSaved] = useState(false);
  const days = receipt.days_to_aggregate;
  const file = `data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`;
  return (
    <Page
      title={words.title(receipt.tu_id)}
      lead={words.lead}
      actions={
        <>
          <a
            className="button"
            data-kind="primary"
            href={file}
            download={`erased-${receipt.tu_id}.json`}
            onClick={() => setSaved(true)}
          >
            {words.save}
          </a>
          <Button
            onClick={() => {
              print();
              setSaved(true);
            }}
          >
            {words.print}
          </Button>
          <Link to="/brands/$brandId/learners" params={{ brandId }} className="button">
            {words.toList}
          </Link>
        </>
      }
    >
      <LeaveGuard isOn={!isSaved} text={words.unsaved} />
      <Facts
        items={{
          [messages.id]: <CopyableId id={receipt.tu_id} />,
          [words.at]: utcOf(receipt.erased_at),
          [words.by]: receipt.by,
          [words.request]: <RequestLink id={receipt.request_id} />,
          [words.events]: figure(receipt.events),
          [words.rows]: figure(receipt.rows),
        }}
      />
      {days.length > 0 && <StaleDays brandId={brandId} days={days} />}
    </Page>
  );
}
