import assert from 'node:assert/strict';
import type { ApiResponse } from '../support/api-client.ts';
import type { Random } from './random.ts';
import { type Outcomes, sendUntilAnswered } from './send.ts';

/** A write that was acknowledged, to be sent again afterwards. */
export interface Acknowledged {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly text: string;
}

export interface ClientOptions {
  readonly name: string;
  /** The address of the load balancer. */
  readonly url: string;
  /** Two keys of one brand, which the load balancer may send to different processes. */
  readonly keys: readonly [writer: string, reader: string];
  readonly random: Random;
  readonly outcomes: Outcomes;
  /** The only active products, which are there from the beginning, by SKU. */
  readonly walked: readonly { readonly sku: string; readonly tu_id: string }[];
}

/** A client of the catalog that checks each response against what it has written. */
export class CatalogClient {
  readonly #options: ClientOptions;
  readonly acknowledged: Acknowledged[] = [];
  readonly skus: string[] = [];
  readonly feeds: string[] = [];
  /** The quantity of the last feed; null before the first. */
  fedQuantity: number | null = null;
  notModified = 0;
  walks = 0;
  #steps = 0;
  #writes = 0;
  #lastFeedAt = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The SKU whose level only this client's feeds set. */
  get fedSku(): string {
    return `FED-${this.#options.name}`;
  }

  async start(): Promise<void> {
    await this.#create('/catalog/products', { sku: this.fedSku });
    this.skus.push(this.fedSku);
  }

  /** Does one of the things that clients do. @throws AssertionError if a response is wrong */
  async step(): Promise<void> {
    this.#steps += 1;
    const kind = this.#options.random.next();
    if (kind < 0.6) await this.#writeAndRead();
    else if (kind < 0.85) await this.#feed();
    else await this.#walk();
  }

  /** Sends acknowledged writes again, at most `limit`, to one of the addresses each, and compares the bytes. */
  async replay(urls: readonly string[], limit: number): Promise<number> {
    const { random, outcomes, keys } = this.#options;
    const some = this.acknowledged.toSorted(() => random.next() - 0.5).slice(0, limit);
    for (const { path, key, body, text } of some) {
      const url = random.pick(urls);
      const headers = { authorization: `Bearer ${keys[0]}`, 'idempotency-key': key };
      const options = { method: 'POST', headers, body };
      const again = await sendUntilAnswered(() => [`${url}/v1/client${path}`], options, outcomes);
      assert.equal(again.text, text);
      assert.equal(again.headers['idempotency-replayed'], 'true');
    }
    return some.length;
  }

  /** Creates and changes a product and reads it through another key: the read shows the write, and never a stale 304. */
  async #writeAndRead(): Promise<void> {
    const sku = `${this.#options.name}-${this.#steps}`;
    const { tu_id } = (await this.#create('/catalog/products', { sku })).json;
    this.skus.push(sku);
    const path = `/catalog/products/${tu_id}`;
    const before = await this.#get(path);
    assert.equal(before.json.sku, sku);
    const title = `Title ${this.#steps}`;
    await this.#send('PATCH', path, { body: { title } });
    const tag = { 'if-none-match': before.headers['etag'] ?? assert.fail('no tag') };
    const after = await this.#get(path, tag);
    assert.equal(after.status, 200, `${path}: a stale 304`);
    assert.equal(after.json.title, title);
    const own = { 'if-none-match': after.headers['etag'] ?? assert.fail('no tag') };
    const again = await this.#send('GET', path, { headers: own });
    if (again.status === 304) this.notModified += 1;
    else assert.equal(again.json.title, title);
    const quantity = this.#steps;
    await this.#create(`${path}/stock/adjust`, { quantity });
    assert.equal((await this.#get(path)).json.stock_summary.total_quantity, quantity);
  }

  async #feed(): Promise<void> {
    // Of two lines of one time the later feed wins, but never of a clock that was set back.
    this.#lastFeedAt = Math.max(Date.now(), this.#lastFeedAt + 1);
    const quantity = this.#steps;
    const updated_at = new Date(this.#lastFeedAt).toISOString();
    const lines = [{ sku: this.fedSku, location_code: '__default__', quantity, updated_at }];
    const { json } = await this.#create('/catalog/stock/feeds', { source: 'test', mode: 'snapshot', lines });
    this.feeds.push(json.feed_id);
    this.fedQuantity = quantity;
  }

  /** Changes one of the products that are there from the beginning and walks through them: each is on one page, in order. */
  async #walk(): Promise<void> {
    const { walked, random } = this.#options;
    const title = `Walk ${this.#steps}`;
    await this.#send('PATCH', `/catalog/products/${random.pick(walked).tu_id}`, { body: { title } });
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const { json } = await this.#get(`/catalog/products?sort=sku&is_active=true&per_page=20&page=${page}`);
      seen.push(...json.data.map(({ sku }: { sku: string }) => sku));
      if (page >= json.meta.last_page) break;
    }
    assert.deepEqual(
      seen,
      walked.map(({ sku }) => sku),
    );
    this.walks += 1;
  }

  /** Writes with an Idempotency-Key, and remembers the response. */
  async #create(path: string, body: object): Promise<ApiResponse> {
    this.#writes += 1;
    const key = `${this.#options.name}-${this.#writes}`;
    const response = await this.#send('POST', path, { body, headers: { 'idempotency-key': key } });
    // A feed that is sent again is answered with its progress, which changes.
    if (!path.endsWith('/feeds')) this.acknowledged.push({ path, key, body, text: response.text });
    return response;
  }

  /** Reads with the other key. */
  #get(path: string, headers: Record<string, string> = {}): Promise<ApiResponse> {
    return this.#send('GET', path, { headers }, this.#options.keys[1]);
  }

  #send(
    method: string,
    path: string,
    { body, headers = {} }: { body?: object; headers?: Record<string, string> },
    key = this.#options.keys[0],
  ): Promise<ApiResponse> {
    const { url, outcomes } = this.#options;
    const all = { authorization: `Bearer ${key}`, ...headers };
    const options = { method, headers: all, ...(body !== undefined && { body }) };
    return sendUntilAnswered(() => [`${url}/v1/client${path}`], options, outcomes);
  }
}
