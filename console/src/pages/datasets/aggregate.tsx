import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { type DatasetDay, rangesOf } from './day-state.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly selected: readonly DatasetDay[];
  /** All days of the calendar with late events. */
  readonly dirty: readonly DatasetDay[];
}

/** Aggregates the selected days, or all days with late events. Long ranges become a job. */
export function Aggregate({ brandId, selected, dirty }: Props) {
  const [state, setState] = useState<'idle' | 'running' | Error>('idle');
  const [jobId, setJobId] = useState<string | null>(null);
  const queries = useQueryClient();
  const toast = useToast();
  const mayChange = useMayChange();
  const possible = selected.filter(({ events_dropped }) => !events_dropped);

  async function aggregate(days: readonly DatasetDay[]): Promise<void> {
    setState('running');
    setJobId(null);
    try {
      let count = 0;
      for (const range of rangesOf(days.map(({ date }) => date))) {
        const done = await call('aggregateDays', { path: [brandId], body: range });
        if ('job_id' in done) setJobId(done.job_id);
        else count += done.days;
      }
      if (count > 0) toast(messages.aggregated(count));
      setState('idle');
    } catch (error) {
      setState(error instanceof Error ? error : new Error(String(error)));
    }
    await queries.invalidateQueries();
  }

  if (!mayChange) return null;
  const isRunning = state === 'running';
  return (
    <div className="section" aria-live="polite">
      <div className="form-row">
        <Button
          kind="primary"
          disabled={isRunning || possible.length === 0}
          onClick={() => void aggregate(possible)}
        >
          {isRunning ? messages.aggregating : messages.aggregate(possible.length)}
        </Button>
        {dirty.length > 0 && (
          <Button disabled={isRunning} onClick={() => void aggregate(dirty)}>
            {messages.selectDirty(dirty.length)}
          </Button>
        )}
      </div>
      {jobId !== null && (
        <p className="note">
          {messages.queued}{' '}
          <Link to="/jobs/$jobId" params={{ jobId }}>
            {messages.openJob}
          </Link>
        </p>
      )}
      {state instanceof Error && <ErrorNote problem={state} />}
    </div>
  );
}
