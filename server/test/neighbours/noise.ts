import { Agent, type ClientRequest, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The credentials and data of the noisy brand that a noise may use. Plain data, for a thread. */
export interface Noisy {
  readonly clientUrl: string;
  readonly internalUrl: string;
  readonly brandId: number;
  /** Two keys that nothing has used before, with the limits of the contract and every scope. */
  readonly keys: readonly [string, string];
  /** A token of an operator of the noisy brand alone. */
  readonly operatorToken: string;
  /** The client's address, as a proxy forwards it. */
  readonly address: string;
  /** A product that selects 64,486 values, stored before there was a bound. */
  readonly widestProduct: string;
  /** A product that selects 1,000 values. */
  readonly wideProduct: string;
  /** A product without variants. */
  readonly plainProduct: string;
  /** A product with 500 combinations that were generated with `replayKey`. */
  readonly generatedProduct: string;
  readonly replayKey: string;
  /** A feed with 8,000 failed lines. */
  readonly failedFeed: string;
  /** A day with figures, and the first and last day of the window. */
  readonly firstDay: string;
  readonly lastDay: string;
}

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
}

/** The noise of one brand or stranger: it works until the signal aborts. */
export interface Noise {
  /** The shared resource that it wants for itself. */
  readonly resource: string;
  /** It reads what was stored before there were bounds: its neighbour may feel it for a second. */
  readonly isBeyondBounds?: boolean;
  run(tools: NoiseTools): Promise<void>;
}

/** Sends requests as fast as they are answered, and counts the answers by status. */
export class NoiseTools {
  readonly noisy: Noisy;
  readonly stop: AbortSignal;
  readonly answers = new Map<number | string, number>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 256 });
  #sent = 0;

  constructor(noisy: Noisy, stop: AbortSignal) {
    this.noisy = noisy;
    this.stop = stop;
    stop.addEventListener('abort', () => this.#agent.destroy());
  }

  /** Runs `work` again and again, this many at a time, until the noise ends. */
  async atOnce(width: number, work: (n: number) => Promise<unknown>): Promise<void> {
    const one = async () => {
      while (!this.stop.aborted) {
        this.#sent += 1;
        await work(this.#sent).catch((error: NodeJS.ErrnoException) => this.#count(error.code ?? 'error'));
      }
    };
    await Promise.all(Array.from({ length: width }, one));
  }

  /** Sends a request of the client API, and reads the response to its end without keeping it. Waits after a 429. */
  client(sent: Sent): Promise<number> {
    return this.send(`${this.noisy.clientUrl}/v1/client${sent.path}`, sent);
  }

  /** Sends a request of the internal surface as the brand's operator. */
  internal(sent: Sent): Promise<number> {
    const authorization = `Bearer ${this.noisy.operatorToken}`;
    const headers = { authorization, ...sent.headers };
    return this.send(`${this.noisy.internalUrl}${sent.path}`, { ...sent, headers });
  }

  key(n: number): string {
    return this.noisy.keys[n % 2] as string;
  }

  /** Begins a request whose body never ends; it is destroyed with the noise. */
  begin(url: string, { method, headers }: Omit<Sent, 'path'>, part: Uint8Array | string): ClientRequest {
    const agent = new Agent({ keepAlive: false });
    const begun = request(url, { method, agent, headers: this.#headers(headers) });
    begun.on('error', () => {});
    begun.on('response', (response) => {
      this.#count(response.statusCode ?? 0);
      response.resume();
    });
    begun.write(part);
    this.stop.addEventListener('abort', () => begun.destroy());
    return begun;
  }

  /** Waits, at most until the noise ends. */
  pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.stop }).catch(() => {});
  }

  async send(url: string, { method, body, headers, key }: Omit<Sent, 'path'>): Promise<number> {
    const status = await new Promise<number>((resolve, reject) => {
      const outgoing = request(url, {
        method,
        agent: this.#agent,
        headers: this.#headers({
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
          }),
          ...headers,
        }),
      });
      outgoing.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
        response.on('error', reject);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    this.#count(status);
    if (status === 429) await this.pause(200);
    return status;
  }

  #headers(headers: Sent['headers'] = {}): Record<string, string> {
    return { 'x-forwarded-for': this.noisy.address, ...headers };
  }

  #count(answer: number | string): void {
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
  }
}
