import { type CSSProperties, type KeyboardEvent, useRef, useState } from 'react';
import { figure } from './messages.ts';
import { useZone, type Zone } from './zone.ts';

export interface Series {
  readonly label: string;
  /** A variable of `tokens.css`, such as `--accent`. */
  readonly color: string;
  readonly values: readonly number[];
}

interface Props {
  /** The beginnings of the bars, in milliseconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly label: string;
  /** The place of the plot. */
  readonly style: CSSProperties | undefined;
  readonly onFocus: (index: number) => void;
  readonly onOpen: (at: number) => void;
}

const dayMs = 86_400_000;

/** The bars of a chart for who uses no mouse [D376]: one is in the order of tabs, the last at first; arrows move. */
export function ChartBars({ times, series, label, style, onFocus, onOpen }: Props) {
  const bars = useRef<HTMLFieldSetElement>(null);
  const zone = useZone();
  const [chosen, setChosen] = useState<number>();
  const last = times.length - 1;
  const entry = chosen === undefined ? last : Math.max(0, times.indexOf(chosen));

  function onKeyDown(event: KeyboardEvent): void {
    const targets: Readonly<Record<string, number>> = {
      ArrowLeft: Math.max(0, entry - 1),
      ArrowRight: Math.min(last, entry + 1),
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    (bars.current?.children[target] as HTMLElement).focus();
  }

  return (
    <fieldset ref={bars} className="chart-bars" aria-label={label} style={style} onKeyDown={onKeyDown}>
      {times.map((at, index) => (
        <button
          key={at}
          type="button"
          tabIndex={index === entry ? 0 : -1}
          aria-label={`${spanOf(times, index, zone)}: ${figuresOf(series, index)}`}
          onFocus={() => {
            setChosen(at);
            onFocus(index);
          }}
          onClick={() => onOpen(at)}
        />
      ))}
    </fieldset>
  );
}

/** Returns the time of a bar, such as `2026-11-27, 14:00 to 15:00 UTC`, or the day. */
function spanOf(times: readonly number[], index: number, zone: Zone): string {
  const [first = 0, second = first] = times;
  const [from, to] = [times[index] ?? 0, (times[index] ?? 0) + second - first].map((at) =>
    zone.fieldOf(new Date(at).toISOString()),
  );
  if (from === undefined || to === undefined || second - first >= dayMs) return `${from?.slice(0, 10)}`;
  return `${from.slice(0, 10)}, ${from.slice(11, 16)} to ${to.slice(11, 16)} ${zone.name}`;
}

/** Returns the parts of a bar in words, such as `307 served, 5 refused`. */
function figuresOf(series: readonly Series[], index: number): string {
  return series.map(({ label, values }) => `${figure(values[index] ?? 0)} ${label.toLowerCase()}`).join(', ');
}
