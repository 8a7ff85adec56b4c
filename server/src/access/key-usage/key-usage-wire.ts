import { type Static, Type } from 'typebox';
import { exampleIds } from '../../api/example-ids.ts';
import { DayOrInstant, Nullable, Timestamp } from '../../api/field-schemas.ts';
import { pageQuery } from '../../api/pagination.ts';
import { timeRangeFromWire } from '../../api/time-range.ts';
import type { KeyUsageFilter, KeyUsageRow, UsageStep } from './queries/usage-list.ts';

const defaultRangeMs = 30 * 86_400_000;
const firstInstant = Date.parse('0001-01-01T00:00:00Z');

export const KeyUsageQuery = Type.Object({
  from: Type.Optional(
    DayOrInstant({
      description:
        'The first UTC day, or an instant of the first step. Default: 30 days before `to`, or before now.',
      examples: ['2026-03-01'],
    }),
  ),
  to: Type.Optional(
    DayOrInstant({
      description: 'The last UTC day, or an instant of the last step; inclusive. Default: no end.',
      examples: ['2026-03-31'],
    }),
  ),
  step: Type.Optional(
    Type.Unsafe<UsageStep>({
      type: 'string',
      enum: ['hour', 'day'],
      default: 'hour',
      description: 'The length of a step: a UTC hour or a UTC day.',
      examples: ['day'],
    }),
  ),
  ...pageQuery,
});

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const KeyUsageWire = Type.Object({
  at: Timestamp({ description: 'The start of the hour or day, in UTC.' }),
  key_id: Type.String({ description: 'The public id of the key.' }),
  operation: Type.String({ description: 'The operationId of the client API.' }),
  scope: Nullable(Type.String(), {
    description:
      'The scope by which the key may call the operation, or the scope that it lacks. null: any valid key may call it.',
  }),
  requests: count('All requests of the key to the operation.'),
  denied: count('Requests rejected with 429.'),
  refused: count('Requests rejected with another 4xx, such as 401, 403, 404 or 422.'),
  failed: count('Requests that failed with 5xx.'),
});

export const keyUsageExample: Static<typeof KeyUsageWire> = {
  at: '2026-03-01T08:00:00.000Z',
  key_id: exampleIds.key,
  operation: 'listProducts',
  scope: 'catalog.products:read',
  requests: 1_290,
  denied: 12,
  refused: 3,
  failed: 0,
};

/** @throws ApiError `validation_failed` on `from` if the range ends before it begins */
export function keyUsageRange(
  query: Static<typeof KeyUsageQuery>,
  now: number,
): Pick<KeyUsageFilter, 'from' | 'to' | 'step'> {
  const { to, from = new Date(Math.max((to?.getTime() ?? now) - defaultRangeMs, firstInstant)) } =
    timeRangeFromWire(query);
  return { from, to: to ?? null, step: query.step ?? 'hour' };
}

export function keyUsageToWire({ at, ...row }: KeyUsageRow): Static<typeof KeyUsageWire> {
  return { at: at.toISOString(), ...row };
}
