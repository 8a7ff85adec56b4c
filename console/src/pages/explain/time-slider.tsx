import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { ResponseOf } from '../../api/call.ts';
import { Button } from '../../parts/button.tsx';
import { utcOf } from '../../parts/moment.tsx';
import { messages } from './messages.ts';

interface Props {
  readonly explanation: ResponseOf<'explainStock'>;
  readonly at: string | undefined;
  /** The time of the answer, which is the end of the slider, in milliseconds since 1970. */
  readonly now: number;
}

const words = messages.slider;

/**
 * Chooses the instant of the question between the level's first change and now. The arrow keys go from change to change,
 * Home and End to the ends. The instant is in the address.
 */
export function TimeSlider({ explanation: { first_at, next_at, entries }, at, now }: Props) {
  const navigate = useNavigate();
  const id = useId();
  const first = millisecondsOf(first_at ?? undefined);
  const chosen = millisecondsOf(at);
  const [dragged, setDragged] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another instant in the address ends the drag
  useEffect(() => setDragged(null), [at]);
  if (first === null) return null;

  const end = Math.max(now, first + 1);
  const value = dragged ?? chosen ?? end;
  const previous = entries.find((entry) => Date.parse(entry.at) < (chosen ?? Number.POSITIVE_INFINITY))?.at;
  const next = next_at ?? undefined;

  function choose(instant: string | undefined): void {
    setDragged(null);
    if (instant === at) return;
    const search = (old: object) => ({ ...old, at: instant, before: undefined, refused_before: undefined });
    void navigate({ to: '.', search: search as never, replace: true });
  }

  function commit(): void {
    if (dragged !== null) choose(dragged >= end ? undefined : new Date(dragged).toISOString());
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowLeft' || key === 'ArrowDown') choose(previous ?? at);
    else if (key === 'ArrowRight' || key === 'ArrowUp') choose(next);
    else if (key === 'Home') choose(first_at ?? undefined);
    else if (key === 'End') choose(undefined);
    else return;
    event.preventDefault();
  }

  const shown = value >= end ? words.now : utcOf(new Date(value).toISOString());
  return (
    <div className="time-slider">
      <label htmlFor={id}>{words.label}</label>
      <input
        id={id}
        type="range"
        min={first}
        max={end}
        step={1}
        value={Math.min(Math.max(value, first), end)}
        aria-valuetext={shown}
        list={`${id}-changes`}
        onChange={({ target }) => setDragged(Number(target.value))}
        onPointerUp={commit}
        onKeyUp={commit}
        onBlur={commit}
        onKeyDown={onKeyDown}
      />
      <datalist id={`${id}-changes`}>
        {entries.map((entry) => (
          <option key={entry.id} value={Date.parse(entry.at)} />
        ))}
      </datalist>
      <output htmlFor={id}>{shown}</output>
      <span className="form-row">
        <Step label={words.previous} to={previous} onStep={choose} isPossible={previous !== undefined} />
        <Step label={words.next} to={next} onStep={choose} isPossible={chosen !== null} />
      </span>
    </div>
  );
}

interface StepProps {
  readonly label: string;
  readonly to: string | undefined;
  readonly onStep: (instant: string | undefined) => void;
  readonly isPossible: boolean;
}

function Step({ label, to, onStep, isPossible }: StepProps) {
  return (
    <Button disabled={!isPossible} onClick={() => onStep(to)}>
      {label}
    </Button>
  );
}

/** Returns the milliseconds of an instant since 1970; null for a string that is none. */
function millisecondsOf(instant: string | undefined): number | null {
  const parsed = instant === undefined ? Number.NaN : Date.parse(instant);
  return Number.isNaN(parsed) ? null : parsed;
}
