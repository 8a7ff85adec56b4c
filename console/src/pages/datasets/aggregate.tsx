import { Link } from '@tanstack/react-router';
import { useMayChange } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useToast } from '../../parts/toasts.tsx';
import type { DatasetDay } from './day-state.ts';
import { messages } from './messages.ts';
import { useAggregation } from './use-aggregation.ts';

interface Props {
  readonly brandId: string;
  readonly selected: readonly DatasetDay[];
  /** All days of the calendar with uncounted events. */
  readonly dirty: readonly DatasetDay[];
}

/** Aggregates the selected days, or all days with uncounted events. Long ranges become a job. */
export function Aggregate({ brandId, selected, dirty }: Props) {
  const aggregation = useAggregation(brandId);
  const toast = useToast();
  const mayChange = useMayChange();
  const possible = selected.filter(({ events_dropped }) => !events_dropped);

  function aggregate(days: readonly DatasetDay[]): void {
    const dates = days.map(({ date }) => date);
    aggregation.mutate(dates, {
      onSuccess: ({ days: count }) => count > 0 && toast(messages.aggregated(count)),
    });
  }

  if (!mayChange) return null;
  const { isPending, data, error } = aggregation;
  return (
    <div className="section" aria-live="polite">
      <div className="form-row">
        <Button
          kind="primary"
          disabled={isPending || possible.length === 0}
          onClick={() => aggregate(possible)}
        >
          {isPending ? messages.aggregating : messages.aggregate(possible.length)}
        </Button>
        {dirty.length > 0 && (
          <Button disabled={isPending} onClick={() => aggregate(dirty)}>
            {messages.selectDirty(dirty.length)}
          </Button>
        )}
      </div>
      {data != null && data.jobId !== null && (
        <p className="note">
          {messages.queued}{' '}
          <Link to="/jobs/$jobId" params={{ jobId: data.jobId }}>
            {messages.openJob}
          </Link>
        </p>
      )}
      {error !== null && <ErrorNote problem={error} />}
    </div>
  );
}
