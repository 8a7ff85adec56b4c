import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../src/lib/ids.ts';
import { ExchangeClient } from './exchange.ts';
import type { Place } from './level-history.ts';
import { chance, randomInt, randomItem } from './random.ts';

interface SentLine {
  readonly place: Place;
  readonly quantity: number;
  readonly reserved?: number;
  readonly updated_at?: string;
}

/** A feed that was applied, with the times of its submission. */
export interface AppliedFeed {
  readonly feedId: string;
  readonly acceptedAt: number;
  readonly submittedAt: number;
  /** The place and the outcome of each line. */
  readonly lines: readonly { readonly place: Place; readonly quantity: number; readonly result: string }[];
}

/** The age of the quantity that the line states, in milliseconds; negative: dated ahead; `null`: not stated. */
const ages = [null, null, 0, 0, 30, 5_000, -150] as const;

/** Sends small feeds, one after the other, and waits for the report of each. */
export class FeedClient extends ExchangeClient {
  readonly applied: AppliedFeed[] = [];

  async runOne(): Promise<void> {
    const lines = Array.from({ length: 1 + randomInt(4) }, () => this.#newLine());
    const submission = {
      method: 'POST',
      path: '/catalog/stock/feeds',
      headers: { 'idempotency-key': randomHex(12) },
      body: {
        source: 'checker',
        mode: 'snapshot',
        lines: lines.map(({ place, ...line }) => ({
          sku: place.sku,
          location_code: place.location,
          ...line,
        })),
      },
    };
    const accepted = await this.sendUntilKnown(submission);
    const { status, text, json } = accepted.response;
    // After a lost attempt the batch may exist already.
    assert.ok(status === 202 || (status === 200 && accepted.lostAttempts > 0), text);
    if (chance(0.1)) await this.#sendAgain(submission, json.feed_id);
    const { report, returnedAt } = await this.#reportOf(json.feed_id);
    // The first attempt may have stored it, and then it may have been applied at once.
    const times = { invokedAt: accepted.firstInvokedAt, returnedAt };
    assert.equal(report.lines.data.length, lines.length);
    const results = report.lines.data.map(({ result }: { result: string }) => result);
    const receivedAt = Date.parse(report.received_at);
    for (const [index, { place, quantity, reserved = null, updated_at }] of lines.entries()) {
      const updatedAt = updated_at === undefined ? receivedAt : Date.parse(updated_at);
      const result = results[index];
      this.histories.add(place.key, { kind: 'feed_line', quantity, reserved, updatedAt, result }, times);
    }
    assertSuperseded(lines, results, receivedAt);
    this.applied.push({
      feedId: json.feed_id,
      submittedAt: accepted.firstInvokedAt,
      acceptedAt: accepted.returnedAt,
      lines: lines.map((line, index) => ({ ...line, result: results[index] })),
    });
  }

  #newLine(): SentLine {
    const age = randomItem(ages);
    return {
      place: randomItem(this.ground.places),
      quantity: chance(0.2) ? randomInt(3) : randomInt(1_000_000_000),
      ...(chance(0.3) && { reserved: randomInt(5) }),
      ...(age !== null && { updated_at: new Date(Date.now() - age).toISOString() }),
    };
  }

  async #sendAgain(
    submission: Parameters<ExchangeClient['sendUntilKnown']>[0],
    feedId: string,
  ): Promise<void> {
    const { response } = await this.sendUntilKnown(submission);
    assert.deepEqual([response.status, response.json.feed_id], [200, feedId], response.text);
  }

  async #reportOf(feedId: string) {
    for (const deadline = performance.now() + 60_000; ; await sleep(20)) {
      const { response, returnedAt } = await this.sendUntilKnown({ path: `/catalog/stock/feeds/${feedId}` });
      assert.equal(response.status, 200, response.text);
      if (response.json.status === 'completed') return { report: response.json, returnedAt };
      assert.notEqual(response.json.status, 'failed', response.text);
      assert.ok(performance.now() < deadline, `feed ${feedId} does not end: ${response.text}`);
    }
  }
}

/** Among the lines for one level the newest quantity counts, of two equally new ones the later [catalog-105]. */
function assertSuperseded(lines: readonly SentLine[], results: readonly string[], receivedAt: number): void {
  const newest = new Map<string, { index: number; at: number }>();
  for (const [index, { place, updated_at }] of lines.entries()) {
    const at = updated_at === undefined ? receivedAt : Date.parse(updated_at);
    const known = newest.get(place.key);
    if (known === undefined || known.at <= at) newest.set(place.key, { index, at });
  }
  for (const [index, { place }] of lines.entries())
    assert.equal(results[index] === 'superseded', newest.get(place.key)?.index !== index, `${results}`);
}
