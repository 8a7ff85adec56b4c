import { lookup } from 'node:dns/promises';
import { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { ListenAddress } from '../config.ts';
import type { Listener, Metrics } from '../http/metrics.ts';
import type { Log } from '../lib/log.ts';
import { ConnectionLimit } from './connection-limit.ts';
import type { ConnectionLimits } from './open-files.ts';
import { StartError } from './start-error.ts';

const idleSweepMs = 50;
const quietMs = 0.1;
const maxTurns = 2_000;
/** Idle connections stay open this long after the stop: a proxy may be sending a request on one of them [D219]. */
const drainMs = 1_000;
/** A flood is logged once a minute. */
const warningPauseMs = 60_000;

export interface ListenersDeps {
  readonly limits: ConnectionLimits;
  readonly metrics: Metrics;
  readonly log: Log;
}

export class Listeners {
  readonly #deps: ListenersDeps;
  readonly #apps: FastifyInstance[] = [];
  readonly #connections: ConnectionLimit[] = [];
  #warnAfter = 0;

  constructor(deps: ListenersDeps) {
    this.#deps = deps;
  }

  /** Listens and returns the URL. @throws StartError that names the variables of the address */
  async open(
    listener: Listener,
    app: FastifyInstance,
    { host, port }: ListenAddress,
    [hostVariable, portVariable]: readonly [string, string],
  ): Promise<string> {
    const { limits, metrics, log } = this.#deps;
    this.#apps.push(app);
    const connections = new ConnectionLimit(app.server, limits[listener], () => this.#displaced(listener));
    this.#connections.push(connections);
    metrics.watchConnections(listener, () => connections.count);
    const shown = host.includes(':') ? `[${host}]` : host;
    try {
      // With a host name, Fastify would open a second server for the other address family, without the settings of this one.
      const { address } = await lookup(host);
      // A flood overflows a shorter queue, and a client whose SYN is dropped retries after 1, 3, 7, … seconds.
      await app.listen({ host: address, port, backlog: limits[listener] });
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new StartError(
        code === 'EADDRINUSE'
          ? `${shown}:${port} is in use; choose another port with ${portVariable}.`
          : `Cannot listen on ${shown}:${port} (${hostVariable}, ${portVariable}): ${message}`,
      );
    }
    // A connection that cannot be accepted, for example without free file descriptors, must not end the process.
    app.server.on('error', ({ message }) => log('error', `connection not accepted: ${message}`));
    const address = app.server.address();
    const boundPort = typeof address === 'object' && address !== null ? address.port : port;
    return `http://${shown}:${boundPort}`;
  }

  /**
   * Stops accepting connections, and aborts the requests in flight that are not done after `graceMs`. Requests that arrive within
   * a second on open connections are served, with `Connection: close`; then idle connections are closed. Without connections it
   * does not wait.
   */
  async close(graceMs: number): Promise<void> {
    const closings = this.#apps.map(({ server }) => {
      const closeIdle = server.closeIdleConnections.bind(server);
      // Node calls it when the server closes.
      server.closeIdleConnections = () => {};
      return closeIdle;
    });
    for (const connections of this.#connections) connections.closeAfterResponses();
    for (const { server } of this.#apps) {
      // A connection that waits to be accepted would be reset, perhaps with a request that a proxy has sent.
      await quietTurn();
      Server.prototype.close.call(server);
    }
    const drainedAt = performance.now() + Math.min(drainMs, graceMs / 2);
    const sweep = setInterval(() => {
      if (performance.now() < drainedAt) return;
      for (const closeIdle of closings) closeIdle();
      for (const connections of this.#connections) connections.closeSilent();
    }, idleSweepMs);
    const cut = setTimeout(() => {
      for (const connections of this.#connections) connections.closeAll();
    }, graceMs);
    await Promise.all(this.#apps.map((app) => app.close()));
    clearInterval(sweep);
    clearTimeout(cut);
  }

  #displaced(listener: Listener): void {
    const { limits, metrics, log } = this.#deps;
    metrics.connectionDisplaced(listener);
    const now = performance.now();
    if (now < this.#warnAfter) return;
    this.#warnAfter = now + warningPauseMs;
    log(
      'warn',
      `${listener} listener reached its limit of ${limits[listener]} connections, closing idle ones`,
    );
  }
}

/**
 * Resolves in a turn of the event loop that had nothing to do: all events of the system, such as new connections, were handled a
 * tenth of a millisecond ago. After 2,000 turns it resolves in any.
 */
async function quietTurn(): Promise<void> {
  for (let turns = 0; turns < maxTurns; turns += 1) {
    const start = performance.now();
    await nextTurn();
    if (performance.now() - start < quietMs) return;
  }
}
