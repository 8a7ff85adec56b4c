import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { registerCanary } from '../../../test/support/canaries.ts';

export const alertSecret = 'alert-secret-canary-3e9b7c5a1f0d2468';

interface ReceivedAlert {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any kind of alert.
  readonly body: any;
}

type Respond = (response: ServerResponse) => void;

/** A receiver of alerts on this machine. It ends with the test file. */
export class Webhook {
  readonly #server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    this.received.push({ headers: request.headers, text, body: JSON.parse(text) });
    this.respond(response);
  });
  readonly received: ReceivedAlert[] = [];
  respond: Respond = accept;
  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks/path-canary-82b1c6`;
  }

  /** Starts, again on the same port. */
  async start(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Returns the alerts since the last call. */
  take(): ReceivedAlert[] {
    return this.received.splice(0);
  }
}

export const accept: Respond = (response) => void response.writeHead(204).end();

export async function startWebhook(): Promise<Webhook> {
  registerCanary(alertSecret);
  registerCanary('path-canary-82b1c6');
  const webhook = new Webhook();
  await webhook.start();
  after(() => webhook.stop());
  return webhook;
}
