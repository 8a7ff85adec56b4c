import { Link } from '@tanstack/react-router';
import { messages } from './messages.ts';
import { SparkLine } from './spark-line.tsx';
import type { Tone } from './state-mark.tsx';

export interface Tile {
  readonly label: string;
  readonly value: string;
  /** The change against the day before, or another word about the value. */
  readonly note: string;
  readonly tone?: Tone | undefined;
  /** The figure by hour, without the hour that runs. */
  readonly line?: readonly number[];
  /** The path below `/console` of what the figure counts. */
  readonly to: string;
  readonly search?: Readonly<Record<string, string>>;
}

/** The figures that matter most, each a link to what it counts. */
export function FigureTiles({ tiles }: { readonly tiles: readonly Tile[] }) {
  return (
    <ul className="tiles" aria-label="Figures">
      {tiles.map(({ label, value, note, tone, line, to, search }) => (
        <li key={label}>
          <Link to={to as '/'} search={search as never} className="tile" data-tone={tone}>
            <span>{label}</span>
            <strong>{value}</strong>
            <span>{note}</span>
            {line !== undefined && <SparkLine values={line} label="By hour" />}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** Returns the change of a figure against the day before, such as `+12 % against the day before`. */
export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? messages.none : 'none the day before';
  const change = Math.round((100 * (now - before)) / before);
  return `${change > 0 ? '+' : change < 0 ? '−' : '±'}${Math.abs(change)} % against the day before`;
}

/** Returns a share as `0.5 %`; small ones keep a digit, so that a few refusals are not nothing. */
export function shareText(part: number, all: number): string {
  if (all === 0 || part === 0) return '0 %';
  const share = (100 * part) / all;
  return share < 0.1 ? '< 0.1 %' : `${share < 10 ? share.toFixed(1) : Math.round(share)} %`;
}
