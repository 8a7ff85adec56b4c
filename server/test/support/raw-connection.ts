import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { waitFor } from './wait-for.ts';

export interface RawResponse {
  readonly status: number;
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  readonly json: any;
}

/** Lets an app listen on a free loopback port. Returns the port. */
export async function listenOn(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** A connection on which a test writes raw bytes that an HTTP client would not send. */
export class RawConnection {
  readonly socket: Socket;
  #received = Buffer.alloc(0);
  #closed = false;

  constructor(port: number) {
    this.socket = connect(port, '127.0.0.1');
    this.socket.on('data', (bytes) => {
      this.#received = Buffer.concat([this.#received, bytes]);
    });
    this.socket.on('close', () => {
      this.#closed = true;
    });
    // After its response the server may reset the connection while the test still sends.
    this.socket.on('error', () => {});
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Returns the next complete response. `head`: the response to a HEAD request, which has no body. */
  async response({ head = false, interim = false } = {}): Promise<RawResponse> {
    const signal = AbortSignal.timeout(20_000);
    for (;;) {
      const response = this.#next(head, interim);
      if (response !== null) return response;
      await once(this.socket, 'data', { signal });
    }
  }

  /** Returns the next response other than `100 Continue`. */
  async finalResponse(): Promise<RawResponse> {
    const response = await this.response({ head: false, interim: true });
    return response.status === 100 ? this.response() : response;
  }

  /** Waits until the server closed the connection. */
  async closed(): Promise<void> {
    await waitFor('the end of the connection', () => this.#closed);
  }

  /** Returns the next interim response, such as 100, which has no body. */
  async interim(): Promise<RawResponse> {
    return this.response({ head: true });
  }

  /** Returns all responses until the connection ends. @throws Error when bytes are left over */
  async responses(): Promise<RawResponse[]> {
    await this.closed();
    const responses: RawResponse[] = [];
    for (let next = this.#next(false); next !== null; next = this.#next(false)) responses.push(next);
    assert.equal(this.#received.toString('latin1'), '');
    return responses;
  }

  #next(head: boolean, interim = false): RawResponse | null {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return null;
    const [statusLine = '', ...lines] = this.#received.subarray(0, end).toString('latin1').split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const start = end + 4;
    const isInterim = interim && statusLine.startsWith('HTTP/1.1 100 ');
    const length = head || isInterim ? 0 : Number(headers['content-length']);
    if (this.#received.length < start + length) return null;
    const text = this.#received.subarray(start, start + length).toString('utf8');
    this.#received = this.#received.subarray(start + length);
    return { status: Number(statusLine.split(' ')[1]), headers, text, json: parsed(text) };
  }
}

export interface RawRequest {
  readonly method?: string;
  readonly path: string;
  /** Sent in this order; a name may occur twice. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** Sends one request byte by byte as given, on its own connection. */
export async function exchange(
  port: number,
  { method = 'GET', path, headers = [], body }: RawRequest,
): Promise<RawResponse> {
  const connection = new RawConnection(port);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: brandport.test',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    'Connection: close',
  ];
  connection.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'));
  if (body !== undefined) connection.write(body);
  const response = await connection.response({ head: method === 'HEAD' });
  connection.socket.destroy();
  return response;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
