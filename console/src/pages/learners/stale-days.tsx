import { useMayChange } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useToast } from '../../parts/toasts.tsx';
import { useAggregation } from '../datasets/use-aggregation.ts';
import { messages } from './messages.ts';

interface Props {
  readonly brandId: string;
  readonly days: readonly string[];
}

const words = messages.stale;

/** The days whose totals still include a learner who has opted out, and a button that aggregates exactly these. */
export function StaleDays({ brandId, days }: Props) {
  const { mutate, isPending, error } = useAggregation(brandId);
  const toast = useToast();
  const mayChange = useMayChange();
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
          {error !== null && <ErrorNote problem={error} />}
          {mayChange && (
            <div className="form-row">
              <Button
                kind="primary"
                disabled={isPending}
                onClick={() => mutate(days, { onSuccess: () => toast(words.done(days.length)) })}
              >
                {isPending ? words.pending : words.action(days.length)}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}
