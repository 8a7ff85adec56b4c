import type { ResponseOf } from '../../api/call.ts';
import { figure } from '../../parts/messages.ts';
import { messages } from './messages.ts';

type Stock = ResponseOf<'getProductStock'>;
export type Level = Stock['levels'][number];
export type Availability = Stock['availability'];

/** The facts that decide an availability, next to the levels. */
export interface RuleContext {
  readonly lowStockThreshold: number;
  /** null: stock never becomes stale. */
  readonly staleAfterHours: number | null;
  /** The codes of the inactive locations, whose stock does not count. */
  readonly inactive: ReadonlySet<string>;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

const words = messages.rules;
const hourMs = 3_600_000;

/**
 * Returns the rule that led to an availability, in figures, such as `3 ≤ threshold 5`; an empty string if the status says it.
 * The server decides the status; this only names the reason.
 */
export function ruleOf(
  { status, quantity }: Availability,
  levels: readonly Level[],
  context: RuleContext,
): string {
  const { lowStockThreshold: threshold, staleAfterHours, inactive, now } = context;
  const counted = levels.filter(({ location }) => !inactive.has(location));
  switch (status) {
    case 'in_stock':
      return words.above(figure(quantity), figure(threshold));
    case 'low_stock':
      return words.low(figure(quantity), figure(threshold));
    case 'out_of_stock':
      return counted.length === 0 ? words.notCounted : words.nothing;
    case 'stale': {
      const newest = Math.max(...counted.map(({ source_updated_at }) => Date.parse(source_updated_at)));
      return words.stale(figure(Math.floor((now - newest) / hourMs)), figure(staleAfterHours ?? 0));
    }
    default:
      return '';
  }
}
