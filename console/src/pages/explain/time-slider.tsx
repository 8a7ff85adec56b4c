import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { changed } from '../../app/search-params.ts';
import { Button } from '../../parts/button.tsx';
import { utcOf } from '../../parts/moment.tsx';
import { type Explanation, newest } from './causes.tsx';

interface Props {
  readonly explanation: Explanation;
  readonly at: string | undefined;
  /** The time of the answer, which is the end of the slider, in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Chooses the instant of the question between the level's first change and now. The arrow keys go from change to change,
 * Home and End to the ends. The instant is in the address.
 */
export function TimeSlider({ explanation: { first_at, next_at, entries }, at, now }: Props) {
  const navigate = useNavigate();
  const id = useId();
  const [dragged, setDragged] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another instant in the address ends the drag
  useEffect(() => setDragged(null), [at]);
  if (first_at === null) return null;

  const first = Date.parse(first_at);
  // What is no instant counts as now; the server refuses it.
  const chosen = Date.parse(at ?? '') || Number.POSITIVE_INFINITY;
  const end = Math.max(now, first + 1);
  const value = dragged ?? chosen;
  // What is shown is the figure after the last change until then: the one before it has another figure.
  const current = entries.find((entry) => Date.parse(entry.at) <= chosen);
  const before = current && Date.parse(current.at);
  const previous = entries.find((entry) => before !== undefined && Date.parse(entry.at) < before)?.at;
  const next = next_at ?? undefined;

  function choose(instant: string | undefined): void {
    setDragged(null);
    if (instant !== at)
      void navigate({ to: '.', search: changed({ ...newest, at: instant }), replace: true });
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

  const shown = value >= end ? 'now' : utcOf(new Date(value).toISOString());
  return (
    <div className="time-slider">
      <label htmlFor={id}>As of</label>
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
        <Button disabled={previous === undefined} onClick={() => choose(previous)}>
          ‹ Previous change
        </Button>
        <Button disabled={chosen === Number.POSITIVE_INFINITY} onClick={() => choose(next)}>
          Next change ›
        </Button>
      </span>
    </div>
  );
}
