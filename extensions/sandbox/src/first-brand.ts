import { addDays, daysOf, yesterdayOf } from '../../../server/src/analytics/day.ts';
import { scopes } from '../../../server/src/api/access.ts';
import { systemClock } from '../../../server/src/lib/clock.ts';
import type { SandboxBrand } from './sandbox-dir.ts';

export async function createBrand(call: InternalCall): Promise<SandboxBrand> {
  const { id } = await call('POST', '/brands', { name: 'Sandbox' });
  const { api_key: apiKey } = await call('POST', `/brands/${id}/keys`, { name: 'Sandbox key', scopes });
  return { brandId: Number(id), apiKey: String(apiKey) };
}

const dayCount = 30;
const learners = ['u-4711', 'u-4712'];
const contents = ['ep-12', 'ep-13'];

/** Gives the demonstration brand learning events of 30 days, until yesterday, and aggregates them. */
export async function fillBrand(call: InternalCall, brandId: number): Promise<void> {
  const to = yesterdayOf(systemClock.now());
  const from = addDays(to, 1 - dayCount);
  const items = daysOf({ from, to }).flatMap(eventsOfDay);
  await call('POST', `/brands/${brandId}/events`, { items });
  await call('POST', `/brands/${brandId}/aggregations`, { from, to });
}

function eventsOfDay(day: string, index: number): object[] {
  return learners.flatMap((user, which) => {
    const content = { type: 'episode', tu_id: contents[(index + which) % contents.length] };
    const event = (kind: string, hour: number, more: object) => ({
      event_id: `sandbox-${day}-${user}-${kind}`,
      occurred_at: `${day}T${String(hour + which).padStart(2, '0')}:15:00Z`,
      kind,
      user,
      content,
      ...more,
    });
    const seconds = 60 + ((index * 37 + which * 11) % 240);
    return [
      event('view', 9, { progress: (index * 13) % 101, time_spent_seconds: seconds }),
      ...(index % 3 === which
        ? [event('quiz', 11, { score: 50 + ((index * 7) % 51), questions: 5, answered: 5, xp_earned: 10 })]
        : []),
    ];
  });
}

/** Sends a request below `/internal/v1` and returns the body of its response; throws for a refusal. */
export type InternalCall = (method: string, path: string, body: unknown) => Promise<Record<string, unknown>>;

export function internalClient(internalUrl: string, token: string): InternalCall {
  return async (method, path, body) => {
    const response = await fetch(`${internalUrl}/internal/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
