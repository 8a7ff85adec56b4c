import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useMayChange } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { rangesOf } from '../datasets/day-state.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly days: readonly string[];
}

const words = messages.stale;

/** The days whose totals still include a learner who has opted out, and a button that aggregates exactly these. */
export function StaleDays({ brandId, days }: Props) {
  const [state, setState] = useState<'idle' | 'running' | Error>('idle');
  const queries = useQueryClient();
  const toast = useToast();
  const mayChange = useMayChange();

  async function aggregate(): Promise<void> {
    setState('running');
    try {
      for (const range of rangesOf(days)) await call('aggregateDays', { path: [brandId], body: range });
      toast(words.done(days.length));
      setState('idle');
    } catch (error) {
      setState(error instanceof Error ? error : new Error(String(error)));
    }
    await queries.invalidateQueries();
  }

  return (
    <section className="section" aria-labelledby="stale">
      <h2 id="stale">{words.title}</h2>
      {days.length === 0 ? (
        <p className="soft">{words.none}</p>
      ) : (
        <>
          <p className="soft">{words.text}</p>
          <ul className="day-list">
            {days.map((day) => (
              <li key={day} className="mono">
                {day}
              </li>
            ))}
          </ul>
          {state instanceof Error && <ErrorNote problem={state} />}
          {mayChange && (
            <div className="form-row">
              <Button kind="primary" disabled={state === 'running'} onClick={() => void aggregate()}>
                {state === 'running' ? words.pending : words.action(days.length)}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
