import assert from 'node:assert/strict';
import type { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../src/lib/ids.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { sendHttp } from '../support/http-client.ts';

/** A server, or a proxy in front of some. */
export interface Target {
  readonly clientUrl: string;
  readonly agent?: Agent;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request that has to be repeated. */
export interface Failure {
  readonly request: string;
  /** Status and code, or `closed` for a connection that ended without a response. */
  readonly answer: string;
}

interface Acknowledged {
  readonly path: string;
  readonly key: string;
  readonly body: object;
  readonly text: string;
}

/** Clients that read and write continuously on the servers that a load balancer would choose. */
export class Traffic {
  /** The servers that accept new requests. */
  servers: readonly Target[];
  readonly #apiKey: string;
  readonly #running: Promise<void>[];
  readonly #patienceMs: number;
  #isOver = false;
  #slowestMs = 0;
  requests = 0;
  /** Responses that asked for a retry, and closed connections: each was followed by a retry. */
  readonly failures: Failure[] = [];
  readonly acknowledged: Acknowledged[] = [];
  readonly feeds: string[] = [];

  /** @param patienceMs the milliseconds after which a request that does not succeed is given up */
  constructor(servers: readonly Target[], apiKey: string, clients: number, patienceMs = 60_000) {
    this.servers = servers;
    this.#patienceMs = patienceMs;
    this.#apiKey = apiKey;
    this.#running = Array.from({ length: clients }, (_, index) => this.#keepSending(index));
    // A failure is reported by `stop`.
    for (const client of this.#running) client.catch(() => {});
  }

  /** Returns the milliseconds of the slowest request since the last call, retries included. */
  takeSlowest(): number {
    const slowest = this.#slowestMs;
    this.#slowestMs = 0;
    return slowest;
  }

  /** @throws AssertionError when a client met anything but success or a clean retry */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
  }

  /** Repeats every acknowledged request and compares the bytes. */
  async replayAll(): Promise<void> {
    for (let at = 0; at < this.acknowledged.length; at += 20)
      await Promise.all(this.acknowledged.slice(at, at + 20).map((one) => this.#replay(one)));
  }

  async read(path: string): Promise<ApiResponse> {
    return this.#send('GET', path);
  }

  async #replay({ path, key, body, text }: Acknowledged): Promise<void> {
    const again = await this.#send('POST', path, body, key);
    assert.equal(again.text, text);
    assert.equal(again.headers['idempotency-replayed'], 'true');
  }

  async #keepSending(client: number): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      const sku = `C${client}-${n}`;
      const { tu_id } = await this.#create('/catalog/products', { sku, is_active: true });
      const product = `/catalog/products/${tu_id}`;
      await this.#create(`${product}/stock/adjust`, { quantity: n + 1 });
      await this.#send('PATCH', product, { title: `Title ${n}` });
      assert.equal((await this.#send('GET', product)).json.stock_summary.total_quantity, n + 1);
      await this.#send('GET', '/catalog/products?per_page=5');
      await this.#send('GET', `${product}/stock/movements`);
      await this.#send('GET', '/catalog/stock/levels?per_page=5');
      if (n % 5 !== 0) continue;
      const lines = [{ sku, location_code: '__default__', quantity: n + 2 }];
      const feed = { source: 'test', mode: 'snapshot', lines };
      this.feeds.push((await this.#send('POST', '/catalog/stock/feeds', feed, randomHex(8))).json.feed_id);
    }
  }

  async #create(path: string, body: object) {
    const key = randomHex(12);
    const { text, json } = await this.#send('POST', path, body, key);
    this.acknowledged.push({ path, key, body, text });
    return json;
  }

  /** Sends until it succeeds. Only closed connections and responses that ask for a retry may precede the success. */
  async #send(method: string, path: string, body?: object, key?: string): Promise<ApiResponse> {
    const start = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      const server = this.servers[attempt % this.servers.length] as Target;
      const headers = {
        ...server.headers,
        authorization: `Bearer ${this.#apiKey}`,
        ...(key !== undefined && { 'idempotency-key': key }),
      };
      const url = `${server.clientUrl}/v1/client${path}`;
      const options = { method, headers, agent: server.agent, ...(body !== undefined && { body }) };
      const response = await sendHttp(url, options).catch(() => null);
      this.requests += 1;
      if (response !== null && response.status < 300) {
        this.#slowestMs = Math.max(this.#slowestMs, performance.now() - start);
        return response;
      }
      const request = `${method} ${path}`;
      const answer = response === null ? 'closed' : `${response.status} ${response.json?.code}`;
      this.failures.push({ request, answer });
      if (response !== null) assertAsksForRetry(request, response);
      const waited = performance.now() - start;
      assert.ok(waited < this.#patienceMs, `${request} does not succeed: ${response?.text}`);
      await sleep(50);
    }
  }
}

/** Asserts that a server or proxy asks for a retry in the format of errors, or that the first attempt still runs. */
function assertAsksForRetry(request: string, { status, text, json, headers }: ApiResponse): void {
  const isRunning = json?.code === 'idempotency_conflict';
  assert.ok(isRunning || [502, 503, 504].includes(status), `${request}: ${status} ${text}`);
  assert.ok(isRunning || Number(headers['retry-after']) > 0, `${request}: ${status} ${text}`);
  for (const field of ['code', 'message', 'doc_url']) assert.equal(typeof json?.[field], 'string', text);
}
