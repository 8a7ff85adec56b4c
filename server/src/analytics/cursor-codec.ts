import type { Clock } from '../lib/clock.ts';
import { createSeal } from '../lib/seal.ts';
import type { Day, DayRange } from './day.ts';

/** The request that a cursor is valid for [analytics-23]. */
export interface CursorBinding {
  readonly brandId: number;
  readonly dataset: string;
  /** All filters of the walk by parameter name, without the absent ones. Their order does not matter. */
  readonly filters: Readonly<Record<string, string | boolean | undefined>>;
}

export interface CursorContent {
  /** The resolved window of the walk. A walk that began with defaults keeps them past midnight [D26]. */
  readonly window: DayRange;
  /** The ends of the window that the first request did not specify. */
  readonly defaulted: { readonly from: boolean; readonly to: boolean };
  /** The key of the last row read, in the order of the dataset. */
  readonly position: readonly (number | Day)[];
}

export interface CursorCodec {
  encode(binding: CursorBinding, content: CursorContent): string;
  /** Returns null for a cursor that is not valid for the binding. */
  decode(binding: CursorBinding, text: string): CursorContent | null;
}

/** Part of what cursors are bound to: another number invalidates those in use. */
const version = 1;
const maxAgeMs = 24 * 3_600_000;

interface Payload {
  readonly at: number;
  readonly from: Day;
  readonly to: Day;
  /** 1: `from` was defaulted; 2: `to` was. */
  readonly d: number;
  readonly p: readonly (number | Day)[];
}

/** Creates a codec that encrypts cursors, and authenticates brand, dataset and filters with them [analytics-23]. */
export function createCursorCodec(secrets: readonly [string, ...string[]], clock: Clock): CursorCodec {
  const cursors = createSeal({ secrets, purpose: 'brandport analytics cursor', nonce: 'random' });
  return {
    encode(binding, { window, defaulted, position }) {
      const payload: Payload = {
        at: clock.now(),
        from: window.from,
        to: window.to,
        d: (defaulted.from ? 1 : 0) + (defaulted.to ? 2 : 0),
        p: position,
      };
      return cursors.seal(boundTo(binding), JSON.stringify(payload));
    },
    decode(binding, text) {
      const opened = cursors.open(boundTo(binding), text);
      if (opened === null) return null;
      const { at, from, to, d, p } = JSON.parse(opened) as Payload;
      if (clock.now() - at > maxAgeMs) return null;
      return {
        window: { from, to },
        defaulted: { from: (d & 1) !== 0, to: (d & 2) !== 0 },
        position: p,
      };
    },
  };
}

function boundTo({ brandId, dataset, filters }: CursorBinding): string {
  const named = Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([version, brandId, dataset, named]);
}
