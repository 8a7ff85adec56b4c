import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiResponse } from '../support/api-client.ts';
import { sendHttp } from '../support/http-client.ts';
import type { Cluster } from './cluster.ts';
import type { Ground } from './ground.ts';
import type { LevelHistories } from './level-history.ts';

export interface ExchangeRequest {
  readonly method?: string;
  /** Below `/v1/client`. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request and its final response, with the times between which it took effect. Monotonic milliseconds. */
export interface Exchange {
  readonly response: ApiResponse;
  readonly invokedAt: number;
  /** Before the first attempt. */
  readonly firstInvokedAt: number;
  readonly returnedAt: number;
  /** Wall-clock time of the attempt that was answered, milliseconds. */
  readonly sentAt: number;
  /** Attempts whose outcome the client could not know. */
  readonly lostAttempts: number;
}

const patienceMs = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 200 });

/** A client with one key that uses any server of the cluster that is up. */
export class ExchangeClient {
  readonly #cluster: Cluster;
  protected readonly ground: Ground;
  protected readonly histories: LevelHistories;

  constructor(cluster: Cluster, ground: Ground, histories: LevelHistories) {
    this.#cluster = cluster;
    this.ground = ground;
    this.histories = histories;
  }

  /**
   * Sends the same request with the same Idempotency-Key until its outcome is known.
   * A replayed response means an effect in any of the attempts; any other response means an effect in the last.
   * @throws Error when no server gives a final response within a minute
   */
  async sendUntilKnown(request: ExchangeRequest): Promise<Exchange> {
    const firstInvokedAt = performance.now();
    for (let lostAttempts = 0; ; lostAttempts += 1) {
      const attempt = await this.tryOnce(request);
      if (attempt !== null) {
        const isReplay = attempt.response.headers['idempotency-replayed'] === 'true';
        return { ...attempt, firstInvokedAt, lostAttempts, ...(isReplay && { invokedAt: firstInvokedAt }) };
      }
      if (performance.now() - firstInvokedAt > patienceMs)
        throw new Error(`no response within ${patienceMs} ms: ${request.method ?? 'GET'} ${request.path}`);
      await sleep(20);
    }
  }

  /** Sends one attempt; returns `null` when it was cut off or the server asked for a retry. */
  async tryOnce({ path, headers = {}, ...request }: ExchangeRequest): Promise<Exchange | null> {
    const invokedAt = performance.now();
    const sentAt = Date.now();
    const authorization = `Bearer ${this.ground.apiKey}`;
    const options = { ...request, headers: { authorization, ...headers }, agent };
    const response = await sendHttp(this.#cluster.clientUrl() + path, options).catch(() => null);
    if (response === null || response.status === 503 || response.json?.code === 'idempotency_conflict')
      return null;
    return {
      response,
      invokedAt,
      firstInvokedAt: invokedAt,
      returnedAt: performance.now(),
      sentAt,
      lostAttempts: 0,
    };
  }
}
