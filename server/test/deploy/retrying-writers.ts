import { setTimeout as sleep } from 'node:timers/promises';
import { randomHex } from '../../src/lib/ids.ts';
import type { ApiResponse } from '../support/api-client.ts';
import { sendHttp } from '../support/http-client.ts';

/** A product that was created and acknowledged. */
export interface AcknowledgedWrite {
  readonly idempotencyKey: string;
  readonly body: { readonly sku: string };
  readonly text: string;
}

/** Clients that create products, each write again with its Idempotency-Key until it is acknowledged. */
export class RetryingWriters {
  readonly #url: string;
  readonly #key: string;
  readonly #count: number;
  readonly acknowledged: AcknowledgedWrite[] = [];
  /** Responses other than 201 and 503. */
  readonly unexpected: string[] = [];
  /** Responses 503. */
  refused = 0;
  #isStopping = false;
  #running: Promise<void>[] = [];

  /** @param url the address of the client API, with its path */
  constructor(url: string, key: string, count: number) {
    this.#url = url;
    this.#key = key;
    this.#count = count;
  }

  start(): void {
    this.#running = Array.from({ length: this.#count }, (_, writer) => this.#write(writer));
  }

  /** Resolves once the last writes are acknowledged. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  /** Sends an acknowledged write again. */
  replay(write: Pick<AcknowledgedWrite, 'idempotencyKey' | 'body'>): Promise<ApiResponse> {
    return sendHttp(`${this.#url}/catalog/products`, {
      method: 'POST',
      body: write.body,
      headers: { authorization: `Bearer ${this.#key}`, 'idempotency-key': write.idempotencyKey },
    });
  }

  async #write(writer: number): Promise<void> {
    for (let number = 1; !this.#isStopping; number += 1) {
      const body = productBody(`LOAD-${writer}-${number}`);
      const write = { idempotencyKey: randomHex(24), body };
      const { text } = await this.#send(write);
      this.acknowledged.push({ ...write, text });
    }
  }

  async #send(write: Pick<AcknowledgedWrite, 'idempotencyKey' | 'body'>): Promise<ApiResponse> {
    for (;;) {
      const response = await this.replay(write).catch(() => null);
      if (response?.status === 201) return response;
      if (response?.status === 503) this.refused += 1;
      else this.unexpected.push(response === null ? 'no response' : `${response.status} ${response.text}`);
      if (this.unexpected.length > 100) throw new Error(this.unexpected[0]);
      // Shorter than `Retry-After`, to meet the brand in every state.
      await sleep(50);
    }
  }
}

function productBody(sku: string) {
  return { sku };
}
