import assert from 'node:assert/strict';
import { processAdminToken, type ServerProcess } from '../support/server-process.ts';
import type { Random } from './random.ts';
import { type Outcomes, sendUntilAnswered } from './send.ts';

const batch = 50;

/** Sends learning events of one day over the internal surface, and again until each batch is acknowledged. */
export class EventSender {
  readonly #brandId: number;
  readonly #apis: () => readonly ServerProcess[];
  readonly #random: Random;
  readonly #outcomes: Outcomes;
  readonly #at: string;
  /** The number of different events that were acknowledged. */
  acknowledged = 0;

  constructor(
    brandId: number,
    day: string,
    { apis, random, outcomes }: { apis: () => readonly ServerProcess[]; random: Random; outcomes: Outcomes },
  ) {
    this.#brandId = brandId;
    this.#apis = apis;
    this.#random = random;
    this.#outcomes = outcomes;
    this.#at = `${day}T12:00:00.000Z`;
  }

  async step(): Promise<void> {
    const items = Array.from({ length: batch }, (_, at) => ({
      event_id: `e-${this.acknowledged + at}`,
      occurred_at: this.#at,
      kind: 'view',
      user: 'u',
      content: { type: 'episode', tu_id: 'e' },
    }));
    const urls = () => {
      const path = `/internal/v1/brands/${this.#brandId}/events`;
      const known = this.#apis().map(({ internalUrl }) => internalUrl + path);
      const start = Math.floor(this.#random.next() * known.length);
      return [...known.slice(start), ...known.slice(0, start)];
    };
    const headers = { authorization: `Bearer ${processAdminToken}` };
    const { json } = await sendUntilAnswered(
      urls,
      { method: 'POST', headers, body: { items } },
      this.#outcomes,
    );
    assert.deepEqual(json.rejected, []);
    assert.equal(json.accepted + json.duplicates, batch);
    this.acknowledged += batch;
  }
}
