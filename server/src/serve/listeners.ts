import { lookup } from 'node:dns/promises';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ListenAddress } from '../config.ts';
import { StartError } from './start-error.ts';

const idleSweepMs = 50;

/** The listeners of the process, and their connections. */
export class Listeners {
  readonly #apps: FastifyInstance[] = [];
  readonly #sockets = new Set<Socket>();

  /**
   * Listens, and answers the URL under which it does.
   * @throws StartError that names the variables with which another address is chosen
   */
  async open(
    app: FastifyInstance,
    { host, port }: ListenAddress,
    [hostVariable, portVariable]: readonly [string, string],
  ): Promise<string> {
    this.#apps.push(app);
    app.server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    const shown = host.includes(':') ? `[${host}]` : host;
    try {
      // By name, Fastify would open a second server for the other address family, without the settings of this one.
      const { address } = await lookup(host);
      await app.listen({ host: address, port });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StartError(
        code === 'EADDRINUSE'
          ? `${shown}:${port} is in use; choose another port with ${portVariable}.`
          : `Cannot listen on ${shown}:${port} (${hostVariable}, ${portVariable}): ${message}`,
      );
    }
    const address = app.server.address();
    const boundPort = typeof address === 'object' && address !== null ? address.port : port;
    return `http://${shown}:${boundPort}`;
  }

  /**
   * Takes no new connection, finishes the requests in flight, and cuts those that are not done after `graceMs`.
   * A connection without a request is closed meanwhile: kept alive, it would hold up the end for nothing.
   */
  async close(graceMs: number): Promise<void> {
    const sweep = setInterval(() => this.#closeIdle(), idleSweepMs);
    const cut = setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, graceMs);
    await Promise.all(this.#apps.map((app) => app.close()));
    clearInterval(sweep);
    clearTimeout(cut);
  }

  #closeIdle(): void {
    for (const app of this.#apps) app.server.closeIdleConnections();
    // To Node a connection is idle after its first request only; one that has sent nothing at all counts as busy.
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
