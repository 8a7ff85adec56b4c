import type { ResponseOf } from '../../api/call.ts';
import { figure } from '../../parts/messages.ts';
import { StateMark, type Tone } from '../../parts/state-mark.tsx';

type Stock = ResponseOf<'getProductStock'>;
export type Level = Stock['levels'][number];
export type Availability = Stock['availability'];

const tones: Readonly<Record<string, Tone>> = {
  in_stock: 'good',
  low_stock: 'warn',
  out_of_stock: 'bad',
  stale: 'warn',
};

/** The availability of a product or variant; null: no stock level. */
export function AvailabilityMark({ status }: { readonly status: string | null }) {
  if (status === null) return <StateMark tone="off">no stock level</StateMark>;
  return <StateMark tone={tones[status] ?? 'off'}>{status.replaceAll('_', ' ')}</StateMark>;
}

const hourMs = 3_600_000;

/**
 * Returns the rule that led to an availability, in figures, such as `3 ≤ threshold 5`; an empty string if the status says it.
 * The server decides the status; this only names the reason. `levels` are those that count: at active locations.
 */
export function ruleOf(
  { status, quantity }: Availability,
  levels: readonly Level[],
  settings: ResponseOf<'getBrand'>['settings'],
): string {
  const threshold = figure(settings.low_stock_threshold);
  switch (status) {
    case 'in_stock':
      return `${figure(quantity)} > threshold ${threshold}`;
    case 'low_stock':
      return `${figure(quantity)} ≤ threshold ${threshold}`;
    case 'out_of_stock':
      return levels.length === 0 ? 'no active location' : 'nothing available';
    case 'stale': {
      const newest = Math.max(...levels.map(({ source_updated_at }) => Date.parse(source_updated_at)));
      const hours = Math.floor((Date.now() - newest) / hourMs);
      return `${figure(hours)} h old > limit ${figure(settings.stale_after_hours ?? 0)} h`;
    }
    default:
      return '';
  }
}
