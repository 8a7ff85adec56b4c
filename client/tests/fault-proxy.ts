import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse, request as sendRequest } from 'node:http';
import { listeningUrl } from '../../server/test/support/listening-url.ts';

/** A fault of one request on its way through the proxy. */
export type Fault =
  /** The connection is closed; the request never reaches the service. */
  | 'drop before sending'
  /** The service commits; then the connection is closed without a byte of the response. */
  | 'drop the response'
  /** The service commits; half of the response's body arrives. */
  | 'cut the body'
  /** The service commits; nothing arrives until the client gives up. */
  | 'stall after the effect'
  /** Nothing is forwarded or answered until the client gives up. */
  | 'stall before sending'
  /** The proxy answers without forwarding. */
  | { readonly status: number; readonly retryAfter?: string }
  /** The service commits; the proxy answers with another status, as a load balancer does. */
  | { readonly statusAfterEffect: number }
  /** The response arrives with other headers or with another body. */
  | { readonly headers?: Readonly<Record<string, string>>; readonly body?: (text: string) => string };

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FaultProxy {
  readonly url: string;
  /** Every request, in order of arrival. */
  readonly seen: SeenRequest[];
}

/**
 * Forwards HTTP requests to a service until the test (or the file) ends.
 * @param faultOf returns the fault of the n-th request, which counts from 1, or null
 */
export async function startFaultProxy(
  target: string,
  faultOf: (request: number, seen: SeenRequest) => Fault | null,
): Promise<FaultProxy> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void handle(request, response).catch(() => response.destroy());
  });
  // Undici keeps connections: a fault must not hit the request of another test.
  server.keepAliveTimeout = 1_000;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const one = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body: body.toString('utf8'),
    };
    seen.push(one);
    const fault = faultOf(seen.length, one);
    if (fault === 'drop before sending') return void request.socket.destroy();
    if (fault === 'stall before sending') return;
    if (typeof fault === 'object' && fault !== null && 'status' in fault)
      return answer(response, fault.status, fault.retryAfter);
    const answered = await forward(request, body);
    if (fault === 'drop the response') return void request.socket.destroy();
    if (fault === 'stall after the effect') return;
    if (typeof fault === 'object' && fault !== null && 'statusAfterEffect' in fault)
      return answer(response, fault.statusAfterEffect);
    if (typeof fault === 'object' && fault !== null) {
      const { 'content-length': _, ...headers } = answered.headers;
      response.writeHead(answered.status, { ...headers, ...fault.headers });
      return void response.end(fault.body?.(answered.body.toString('utf8')) ?? answered.body);
    }
    response.writeHead(answered.status, answered.headers);
    if (fault !== 'cut the body') return void response.end(answered.body);
    response.write(answered.body.subarray(0, Math.ceil(answered.body.length / 2)), () =>
      request.socket.destroy(),
    );
  }

  async function forward(request: IncomingMessage, body: Buffer) {
    const { hostname, port } = new URL(target);
    const { method, url: path, headers } = request;
    // Bodies are changed as text.
    const plain = { ...headers, 'accept-encoding': 'identity' };
    const outgoing = sendRequest({ hostname, port, method, path, headers: plain, agent: false });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) };
  }

  return { url: await listeningUrl(server), seen };
}

/** Answers as a load balancer does: not in the envelope of the service. */
function answer(response: ServerResponse, status: number, retryAfter?: string): void {
  response.writeHead(status, {
    'content-type': 'text/html',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  });
  response.end(`<h1>${status}</h1>`);
}
