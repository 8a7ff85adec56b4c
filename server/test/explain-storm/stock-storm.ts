import assert from 'node:assert/strict';
import type { LineState } from '../../src/catalog/feeds/feed.ts';
import { feedsPath, type SentLine } from '../../src/catalog/feeds/tests/feeds.ts';
import { newLocation, newSimple, newStockedParent } from '../../src/catalog/stock/tests/stock.ts';
import { ok } from '../../src/catalog/tests/new-axes.ts';
import { chance, randomInt, randomItem } from '../linearizability/random.ts';
import { type ApiClient, createApiClient } from '../support/api-client.ts';
import type { TestApps } from '../support/test-apps.ts';
import { placeOf, SentWrites } from './sent-writes.ts';

/** The submitter of feeds that the configured administrator re-queues. */
const administrator = 'admin-token';
const locations = ['L', 'M'] as const;
/** `P` has variants, `MISSING` does not exist, and `LATE` is created in the middle of the storm. */
const feedSkus = ['A', 'A', 'B', 'P-1', 'P-2', 'P', 'MISSING', 'LATE'] as const;
const requeued: readonly LineState[] = ['stale', 'superseded', 'unknown_sku', 'unknown_location', 'applied'];
/** More lines than are applied in one transaction. */
const manyLines = 1_050;

interface Sender {
  readonly keyId: string;
  readonly client: ApiClient;
  readonly feedsPath: string;
}

interface Stockable {
  readonly sku: string;
  readonly path: string;
  readonly variant?: string;
}

/** Random writes to a few levels of one brand, of several senders at the same time. */
export class StockStorm {
  readonly sent = new SentWrites();
  readonly brandId: number;
  readonly client: ApiClient;
  readonly #admin: ApiClient;
  readonly #keys: readonly Sender[];
  readonly #senders: readonly Sender[];
  readonly #stockables: Stockable[];
  #requests = 0;

  private constructor(
    brandId: number,
    admin: ApiClient,
    [keys, token]: readonly [readonly Sender[], Sender],
    stockables: Stockable[],
  ) {
    this.brandId = brandId;
    this.client = (keys[0] as Sender).client;
    this.#admin = admin;
    this.#keys = keys;
    this.#senders = [...keys, token];
    this.#stockables = stockables;
  }

  /** Creates a brand with two keys, a feed token, two locations and four SKUs that can have stock. */
  static async create(apps: TestApps): Promise<StockStorm> {
    const first = await apps.newBrand();
    const { client, brandId } = first;
    const second = await apps.newKey(brandId);
    const { id, token } = await ok(
      apps.admin.post(`/brands/${brandId}/feed-tokens`, { name: 'Old ERP' }),
      201,
    );
    for (const code of locations) await newLocation(client, code);
    const simple = await Promise.all(['A', 'B'].map((sku) => newSimple(client, sku)));
    const { product, variants } = await newStockedParent(client, 'P', 2);
    const keys = [first, second].map((key) => ({ keyId: key.keyId, client: key.client, feedsPath }));
    const legacy = {
      keyId: `feed-token:${id}`,
      client: createApiClient(apps.clientApp, { prefix: '', token }),
      feedsPath: '/v1/catalog/stock/feeds',
    };
    const stockables = [
      ...simple.map(({ sku, tu_id }) => ({ sku, path: adjustPath(tu_id) })),
      ...variants.map(({ sku, tu_id }) => ({ sku, path: adjustPath(product.tu_id), variant: tu_id })),
    ];
    return new StockStorm(brandId, apps.admin, [keys, legacy], stockables);
  }

  /** Every place that can have a level. */
  get places(): string[] {
    return this.#stockables.flatMap(({ sku }) =>
      locations.map((location_code) => placeOf({ sku, location_code })),
    );
  }

  /** Creates the SKU that feeds have named all the time. */
  async createLate(): Promise<void> {
    const { sku, tu_id } = await newSimple(this.client, 'LATE');
    this.#stockables.push({ sku, path: adjustPath(tu_id) });
  }

  /** Sends a feed that takes several transactions. */
  sendLongFeed(): Promise<void> {
    return this.#feed(manyLines);
  }

  /** Sends one random write, and waits for its answer. */
  async write(): Promise<void> {
    const kind = randomInt(10);
    if (kind < 6) return this.#adjust();
    if (kind < 9) return this.#feed(1 + randomInt(12));
    return this.#requeue();
  }

  #headers(): Record<string, string> {
    this.#requests += 1;
    return {
      'x-request-id': `storm-request-${this.#requests}`,
      'idempotency-key': `storm-${this.#requests}`,
    };
  }

  async #adjust(): Promise<void> {
    const { keyId, client } = randomItem(this.#keys);
    const { sku, path, variant } = randomItem(this.#stockables);
    const location = randomItem(locations);
    const headers = this.#headers();
    const note = chance(0.5) ? `Note of ${headers['idempotency-key']}` : undefined;
    const quantity = randomInt(6);
    const guard = chance(0.3) ? { expected_quantity: randomInt(4) } : {};
    const body = { ...(variant !== undefined && { variant }), location, quantity, note, ...guard };
    const answer = await client.post(path, body, headers);
    // Its guard fails, or a feed has dated the level a moment into the future.
    if (answer.status === 409)
      return assert.match(answer.json.code, /^(stock_version_conflict|rejected_stale)$/);
    assert.equal(answer.status, 200, answer.text);
    if (chance(0.3)) {
      const again = await client.post(path, body, { ...headers, 'x-request-id': `replay-${this.#requests}` });
      assert.deepEqual([again.status, again.json], [200, answer.json]);
    }
    const { movement } = answer.json;
    if (movement === undefined) return;
    this.sent.adjustments.set(movement.id, {
      place: placeOf({ sku, location_code: location }),
      quantity,
      note: note ?? `client-api:${keyId}`,
      keyId,
      requestId: headers['x-request-id'] as string,
    });
  }

  async #feed(count: number): Promise<void> {
    const { keyId, client, feedsPath: path } = randomItem(this.#senders);
    const lines = Array.from({ length: count }, randomLine);
    const headers = this.#headers();
    const body = { source: 'storm', mode: 'snapshot', lines };
    const answer = await client.post(path, body, headers);
    assert.equal(answer.status, 202, answer.text);
    const { feed_id } = answer.json;
    const batchId = headers['idempotency-key'] as string;
    this.sent.feeds.set(feed_id, { batchId, lines, keyId, requestId: headers['x-request-id'] as string });
    if (chance(0.7)) return;
    const other = chance(0.5) ? { ...body, lines: [randomLine()] } : body;
    const another = randomItem(this.#senders);
    const replay = { ...headers, 'x-request-id': `replay-${this.#requests}` };
    const again = await another.client.post(another.feedsPath, other, replay);
    assert.deepEqual([again.status, again.json?.feed_id], [200, feed_id], again.text);
  }

  async #requeue(): Promise<void> {
    const [feedId, original] = randomItem([...this.sent.feeds]) ?? [];
    if (feedId === undefined || original === undefined || original.lines.length === manyLines) return;
    const results = requeued.filter(() => chance(0.4));
    if (results.length === 0) return;
    const path = `/brands/${this.brandId}/feeds/${feedId}`;
    const requestId = this.#headers()['x-request-id'] as string;
    const answer = await this.#admin.post(`${path}/requeue`, { results }, { 'x-request-id': requestId });
    // Not finished yet, or without such lines; or another writer has sent them again a moment ago.
    if ([409, 422, 200].includes(answer.status)) return;
    assert.equal(answer.status, 202, answer.text);
    const stored = await linesOf(this.#admin, this.brandId, feedId);
    const lines = stored.flatMap(({ line, result, updated_at }) => {
      const sent = original.lines[line] as SentLine;
      return results.some((one) => one === result) ? [{ ...sent, updated_at }] : [];
    });
    const { feed_id, batch_id } = answer.json;
    this.sent.feeds.set(feed_id, { batchId: batch_id, lines, keyId: administrator, requestId });
  }
}

function adjustPath(tuId: string): string {
  return `/catalog/products/${tuId}/stock/adjust`;
}

function randomLine(): SentLine {
  return {
    sku: randomItem(feedSkus),
    location_code: chance(0.05) ? 'NOWHERE' : randomItem(locations),
    quantity: randomInt(6),
    ...(chance(0.2) && { reserved: randomInt(3) }),
    ...(chance(0.7) && { updated_at: new Date(Date.now() + randomInt(600) - 300).toISOString() }),
  };
}

/** A line of a feed as the service reports it. */
export interface ReportedLine {
  readonly line: number;
  readonly sku: string;
  readonly location_code: string;
  readonly quantity: number;
  readonly updated_at: string;
  readonly result: string;
}

/** Returns all lines of a feed, in the order of the request. */
export async function linesOf(admin: ApiClient, brandId: number, feedId: string): Promise<ReportedLine[]> {
  const lines: ReportedLine[] = [];
  for (let page = 1; ; page += 1) {
    const path = `/brands/${brandId}/feeds/${feedId}/lines?per_page=200&page=${page}`;
    const { data, meta } = await ok(admin.get(path));
    lines.push(...data);
    if (page >= meta.last_page) return lines;
  }
}
