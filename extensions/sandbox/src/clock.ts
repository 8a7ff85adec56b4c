import { Type } from 'typebox';
import { purgeExpiredIdempotencyRecords } from '../../../server/src/access/idempotency/idempotency-store.ts';
import { aggregateAllBrands } from '../../../server/src/analytics/aggregation/aggregation-service.ts';
import { dayOf } from '../../../server/src/analytics/day.ts';
import { operationKit } from '../../../server/src/api/operation.ts';
import { invalidField } from '../../../server/src/errors/api-error.ts';
import type { Services } from '../../../server/src/http/services.ts';
import { type Clock, systemClock } from '../../../server/src/lib/clock.ts';
import { setDatabaseClock } from './database-clock-store.ts';

export class SandboxClock implements Clock {
  #aheadMs: number;

  constructor(aheadMs: number) {
    this.#aheadMs = aheadMs;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  now(): number {
    return systemClock.now() + this.#aheadMs;
  }

  set(aheadMs: number): void {
    this.#aheadMs = aheadMs;
  }
}

/** Ten years: later partitions and dates are no use to anybody. */
const mostAheadMs = 10 * 365 * 86_400_000;

/**
 * Moves the time of the service by `byMs`, and does what the nights in between would have done: aggregates the days, and forgets
 * Idempotency-Keys.
 * @throws ApiError `validation_failed` for a time that has passed, or too far ahead
 */
async function moveClock(context: Services, clock: SandboxClock, byMs: number, field: string): Promise<void> {
  const now = clock.now();
  const to = now + byMs;
  const aheadMs = clock.aheadMs + byMs;
  if (byMs < 0) throw invalidField(field, 'must not be in the past: time never goes back');
  if (aheadMs > mostAheadMs) throw invalidField(field, 'must be at most ten years ahead');
  const { database, analytics } = context;
  await analytics.upkeep(dayOf(to));
  // The database first: what it stamps is never before what the process has seen.
  await setDatabaseClock(database, aheadMs);
  clock.set(aheadMs);
  if (dayOf(to) === dayOf(now)) return;
  await purgeExpiredIdempotencyRecords(database, clock);
  await aggregateAllBrands(context);
}

const SetClockBody = Type.Object({
  now: Type.Optional(Type.String({ format: 'date-time', description: 'The new time.' })),
  advance_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
});
const ClockWire = Type.Object({ now: Type.String({ format: 'date-time' }) });

/** Moves the time of the service, never back. `onMoved` receives the distance to the system's clock. */
export const setClockOperation = (clock: SandboxClock, onMoved: (aheadMs: number) => Promise<void>) =>
  operationKit<Services>().unmanagedOperation({
    id: 'setClock',
    method: 'PUT',
    path: '/sandbox/clock',
    tag: 'Sandbox',
    summary: 'Set or advance the clock',
    description:
      'Sets the current time of the service, or advances it, and runs what is due by then at night.',
    access: 'administrators',
    body: SetClockBody,
    bodyExample: { advance_seconds: 86_400 },
    responses: { 200: { description: 'The current time.', schema: ClockWire } },
    handle: async (context, { body }) => {
      const { now, advance_seconds: seconds } = body;
      if ((now === undefined) === (seconds === undefined))
        throw invalidField('now', 'must be sent, or advance_seconds instead of it');
      if (now !== undefined) await moveClock(context, clock, Date.parse(now) - clock.now(), 'now');
      else await moveClock(context, clock, (seconds as number) * 1_000, 'advance_seconds');
      await onMoved(clock.aheadMs);
      return { status: 200, body: { now: new Date(clock.now()).toISOString() } };
    },
  });
