import { Type } from 'typebox';
import { operationKit } from '../../../../../server/src/api/operation.ts';
import { invalidField } from '../../../../../server/src/errors/api-error.ts';
import type { Services } from '../../../../../server/src/http/services.ts';
import { moveClock, type SandboxClock } from '../sandbox-clock.ts';

const SetClockBody = Type.Object({
  now: Type.Optional(Type.String({ format: 'date-time', description: 'The new time.' })),
  advance_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 315_360_000 })),
});
const ClockWire = Type.Object({ now: Type.String({ format: 'date-time' }) });

/** Moves the time of the service, never back. `onMoved` receives the distance to the system's clock. */
export const setClockOperation = (clock: SandboxClock, onMoved: (aheadMs: number) => Promise<void>) =>
  operationKit<Services>().readOperation({
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
      if (now !== undefined) await moveClock(context, clock, Date.parse(now), 'now');
      else await moveClock(context, clock, clock.now() + (seconds as number) * 1_000, 'advance_seconds');
      await onMoved(clock.aheadMs);
      return { status: 200, body: { now: new Date(clock.now()).toISOString() } };
    },
  });
