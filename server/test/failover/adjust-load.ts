import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../support/api-client.ts';
import { sendHttp } from '../support/http-client.ts';
import type { ServerProcess } from '../support/server-process.ts';

const writers = 6;
const pauseMs = 20;

interface Acknowledged {
  readonly key: string;
  readonly productTuId: string;
  readonly quantity: number;
  readonly text: string;
  /** Wall-clock times. */
  readonly sentAt: number;
  readonly at: number;
}

/** Runs SQL on the database that is the primary at the end. */
export type RunSql = <Row extends object>(text: string) => Promise<Row[]>;

/**
 * Writers that adjust the stock of a product each, and send every adjustment with its Idempotency-Key until it is
 * acknowledged, as integrators do.
 */
export class AdjustLoad {
  #url: string;
  readonly #apiKey: string;
  readonly #name: string;
  #acknowledged: Acknowledged[] = [];
  readonly #times: number[] = [];
  readonly statuses = new Map<number, number>();
  #isOver = false;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(url: string, apiKey: string, name: string) {
    this.#name = name;
    this.#url = url;
    this.#apiKey = apiKey;
  }

  static async start(server: ServerProcess, name = 'load'): Promise<AdjustLoad> {
    const brand = await server.admin.post('/brands', { name: 'Failover' });
    const scopes = ['catalog.products:read', 'catalog.products:write', 'catalog.stock:write'];
    const key = await server.admin.post(`/brands/${brand.json.id}/keys`, { name: 'k', scopes });
    const load = new AdjustLoad(server.clientUrl, key.json.api_key, name);
    load.#running = Promise.all(Array.from({ length: writers }, (_, index) => load.#write(index)));
    return load;
  }

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  /** Milliseconds, at least 1, from a monotonic instant to the first acknowledgement after it; null if there is none yet. */
  msToNext(since: number): number | null {
    const next = this.#times.find((time) => time > since);
    return next === undefined ? null : Math.ceil(next - since);
  }

  /** Ends the load when each write in progress is acknowledged. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  /** Checks that the database has every acknowledged adjustment once, and that a replay has the bytes of the first answer. */
  async check(sql: RunSql): Promise<void> {
    const unexpected = [...this.statuses.keys()].filter((status) => ![200, 201, 409, 503].includes(status));
    assert.deepEqual(unexpected, [], JSON.stringify([...this.statuses]));
    const counts = await this.#countStored(sql);
    const wrong = this.#acknowledged.filter(({ key }) => counts.get(key) !== 1);
    assert.deepEqual(wrong, [], 'every acknowledged adjustment is stored once');
    assert.equal(counts.size, this.#acknowledged.length, 'nothing else is stored');
    for (const one of this.#acknowledged.slice(-50)) {
      const replay = await this.#adjust(one);
      assert.equal(replay.headers['idempotency-replayed'], 'true', replay.text);
      assert.equal(replay.text, one.text);
    }
  }

  /**
   * Checks a database that was recovered to a time: it has every adjustment that was acknowledged before, once, and none that was
   * sent later. Returns the number of those that it lost.
   */
  async checkRecovered(sql: RunSql, until: number): Promise<number> {
    const counts = await this.#countStored(sql);
    const expected = (one: Acknowledged) =>
      one.at < until ? [1] : one.sentAt > until ? [undefined] : [1, undefined];
    const wrong = this.#acknowledged.filter((one) => !expected(one).includes(counts.get(one.key)));
    assert.deepEqual(wrong, []);
    return this.#acknowledged.filter(({ key }) => !counts.has(key)).length;
  }

  /** Sends what was acknowledged since a time to another server again, each product's in its order, as clients have to. */
  async sendAgain(server: ServerProcess, since: number): Promise<void> {
    this.#url = server.clientUrl;
    const [kept, lost] = [
      this.#acknowledged.filter(({ at }) => at < since),
      this.#acknowledged.filter(({ at }) => at >= since),
    ];
    const byProduct = Map.groupBy(lost, ({ productTuId }) => productTuId);
    const sent = [...byProduct.values()].map(async (ofProduct) => {
      const answered: Acknowledged[] = [];
      for (const one of ofProduct) {
        const { text } = await this.#untilAcknowledged(() => this.#adjust(one));
        answered.push({ ...one, text });
      }
      return answered;
    });
    this.#acknowledged = [...kept, ...(await Promise.all(sent)).flat()];
  }

  /** The number of movements by the key of their adjustment. */
  async #countStored(sql: RunSql): Promise<Map<string, number>> {
    const moved = await sql<{ note: string; n: number }>(
      `select note, count(*)::integer as n from stock_movements where note like '${this.#name}-%' group by note`,
    );
    return new Map(moved.map(({ note, n }) => [note, n]));
  }

  async #write(writer: number): Promise<void> {
    const created = await this.#untilAcknowledged(() =>
      this.#send('/products', `product-${writer}`, { sku: `SKU-${writer}` }),
    );
    for (let n = 1; !this.#isOver; n += 1) {
      const adjustment = {
        key: `${this.#name}-${writer}-${n}`,
        productTuId: created.json.tu_id,
        quantity: n,
      };
      const sentAt = Date.now();
      const { text } = await this.#untilAcknowledged(() => this.#adjust(adjustment));
      this.#times.push(performance.now());
      this.#acknowledged.push({ ...adjustment, text, sentAt, at: Date.now() });
      await sleep(pauseMs);
    }
  }

  #adjust({
    key,
    productTuId,
    quantity,
  }: Pick<Acknowledged, 'key' | 'productTuId' | 'quantity'>): Promise<ApiResponse> {
    return this.#send(`/products/${productTuId}/stock/adjust`, key, { quantity, note: key });
  }

  async #untilAcknowledged(send: () => Promise<ApiResponse>): Promise<ApiResponse> {
    for (;;) {
      const response = await send();
      if (response.status < 300) return response;
      if (response.status === 503) assert.match(response.headers['retry-after'] ?? '', /^[1-9]\d*$/);
      else if (response.status !== 409) throw new Error(`${response.status} ${response.text}`);
      await sleep(pauseMs);
    }
  }

  async #send(path: string, key: string, body: object): Promise<ApiResponse> {
    const response = await sendHttp(`${this.#url}/v1/client/catalog${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${this.#apiKey}`, 'idempotency-key': key },
    });
    this.statuses.set(response.status, (this.statuses.get(response.status) ?? 0) + 1);
    return response;
  }
}
