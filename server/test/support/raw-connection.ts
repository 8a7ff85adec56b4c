import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { waitFor } from './wait-for.ts';

export interface RawResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
  readonly json: any;
}

/** Makes an app listen on any free port of this machine, and answers the port. */
export async function listenOn(app: FastifyInstance): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

/** A connection on which a test writes bytes of its own; for what an HTTP client would not send. */
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
    // A server that has answered may reset what is still being sent.
    this.socket.on('error', () => {});
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** The next response, whole. `head` = the answer to a HEAD request, which has no body. */
  async response({ head = false, interim = false } = {}): Promise<RawResponse> {
    const signal = AbortSignal.timeout(20_000);
    for (;;) {
      const response = this.#next(head, interim);
      if (response !== null) return response;
      await once(this.socket, 'data', { signal });
    }
  }

  /** The next response that is no `100 Continue`. */
  async finalResponse(): Promise<RawResponse> {
    const response = await this.response({ head: false, interim: true });
    return response.status === 100 ? this.response() : response;
  }

  /** Until the server has closed the connection. */
  async closed(): Promise<void> {
    await waitFor('the end of the connection', () => this.#closed);
  }

  /** The next interim response, such as 100, which has no body. */
  async interim(): Promise<RawResponse> {
    return this.response({ head: true });
  }

  /** Every response up to the end of the connection; what is left over is no response, and fails. */
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
  /** In this order; a name may come twice. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
}

/** Sends one request as it stands here, on a connection of its own. */
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
