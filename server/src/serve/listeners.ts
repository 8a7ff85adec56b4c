import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import type { Server as HttpServer } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { ServiceContext } from '../api/operation.ts';
import type { ListenAddress } from '../config.ts';
import type { RequestBodies } from '../http/bodies/request-bodies.ts';
import { findLatestExchange, owesResponse } from '../http/client-connections.ts';
import { addHealth, createApp } from '../http/create-app.ts';
import { addMetrics } from '../http/internal-app.ts';
import type { Listener, Metrics } from '../http/metrics.ts';
import type { TrustedProxies } from '../http/proxies.ts';
import { countedNetwork } from '../lib/addresses.ts';
import type { Log } from '../lib/log.ts';
import { StartError } from './lifetime.ts';

/** File descriptors that a process needs in addition to client connections: files, pipes, database connections. */
const reserved = 128;
const fewest = 32;

/** Connections of each listener, by memory: 8 KB for an idle one, up to 40 KB for one with partial headers. */
export const connectionLimits = { client: 4_096, internal: 512 } as const;

type ConnectionLimits = Readonly<Record<keyof typeof connectionLimits, number>>;

/**
 * Lowers the limits to fit the limit of open files: beyond it, the process could neither accept a connection nor open one to its
 * database. `openFiles` null: the limit is unknown.
 */
export function connectionLimitsFor(openFiles: number | null): ConnectionLimits {
  if (openFiles === null) return connectionLimits;
  const room = Math.max(fewest, openFiles - reserved);
  return {
    client: Math.min(connectionLimits.client, Math.floor((room * 7) / 8)),
    internal: Math.min(connectionLimits.internal, Math.floor(room / 8)),
  };
}

/** Returns the soft limit of open files of this process; null on systems other than Linux. */
export async function findOpenFileLimit(): Promise<number | null> {
  const limits = await readFile('/proc/self/limits', 'utf8').catch(() => '');
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/**
 * Limits the connections of one listener [D70]. At the limit, the least useful one of the address that has the most is closed:
 * the oldest that never carried a request, or else the one with the least recent request; without one there, that of any address.
 * A connection that waits for a response is never closed; if all do, the new one is.
 */
export class ConnectionLimit {
  readonly #silent = new Set<Socket>();
  /** The least recently used first. */
  readonly #used = new Set<Socket>();
  readonly #networks = new Map<Socket, string>();
  readonly #counts = new Map<string, number>();
  /** Connections since the start, for the stop. */
  accepted = 0;

  /** `onDisplaced` is called for each connection that is closed to make room. */
  constructor(server: HttpServer, limit: number, onDisplaced: () => void) {
    server.on('connection', (socket: Socket) => {
      this.accepted += 1;
      this.#silent.add(socket);
      const network = countedNetwork(socket.remoteAddress ?? '');
      this.#networks.set(socket, network);
      this.#counts.set(network, (this.#counts.get(network) ?? 0) + 1);
      socket.once('close', () => this.#forget(socket));
      if (this.count <= limit) return;
      const victim = this.#findDispensable(socket) ?? socket;
      this.#forget(victim);
      victim.destroy();
      onDisplaced();
    });
    server.on('request', ({ socket }) => {
      // Injected requests of tests have no connection; a closed one must not be added again.
      if (!this.#silent.delete(socket) && !this.#used.delete(socket)) return;
      this.#used.add(socket);
    });
  }

  get count(): number {
    return this.#silent.size + this.#used.size;
  }

  /** Closes every connection that never carried a request: Node counts it as busy. */
  closeSilent(): void {
    for (const socket of this.#silent) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Lets pending responses end their connections, as those of later requests do once the app is closing. */
  closeAfterResponses(): void {
    for (const socket of this.#used) {
      const response = findLatestExchange(socket)?.response;
      if (response !== undefined && owesResponse(socket)) response.shouldKeepAlive = false;
    }
  }

  closeAll(): void {
    for (const socket of [...this.#silent, ...this.#used]) socket.destroy();
  }

  #findDispensable(newcomer: Socket): Socket | undefined {
    const [most] = [...this.#counts].reduce((one, other) => (other[1] > one[1] ? other : one));
    const isOfMost = (socket: Socket) => this.#networks.get(socket) === most;
    return this.#findIdle(newcomer, isOfMost) ?? this.#findIdle(newcomer, () => true);
  }

  #findIdle(newcomer: Socket, matches: (socket: Socket) => boolean): Socket | undefined {
    for (const socket of this.#silent) if (socket !== newcomer && matches(socket)) return socket;
    for (const socket of this.#used) if (!owesResponse(socket) && matches(socket)) return socket;
    return undefined;
  }

  #forget(socket: Socket): void {
    this.#silent.delete(socket);
    this.#used.delete(socket);
    const network = this.#networks.get(socket);
    if (network === undefined) return;
    this.#networks.delete(socket);
    const left = (this.#counts.get(network) as number) - 1;
    if (left === 0) this.#counts.delete(network);
    else this.#counts.set(network, left);
  }
}

interface ProbeAppDeps {
  readonly context: ServiceContext;
  readonly metrics: Metrics;
  readonly bodies: RequestBodies;
  readonly proxies: TrustedProxies;
  readonly logger: FastifyBaseLogger;
}

/** The app of a worker: probes and metrics, so that all processes are monitored alike. */
export function createProbeApp(listener: Listener, deps: ProbeAppDeps): FastifyInstance {
  const { context, metrics } = deps;
  const app = createApp({ listener, ...deps, beforeRefusal: async () => {} });
  addHealth(app, context.database);
  if (listener === 'internal') addMetrics(app, metrics);
  return app;
}

const idleSweepMs = 50;
const quietMs = 0.1;
const maxQuietWaitMs = 1_000;
/** Idle connections stay open this long after the stop: a proxy may be sending a request on one of them [D219]. */
const drainMs = 1_000;
/** A flood is logged once a minute. */
const warningPauseMs = 60_000;

interface ListenersDeps {
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
    const closings = this.#apps.map(({ server }) => server.closeIdleConnections.bind(server));
    // Node calls it when the server closes.
    for (const { server } of this.#apps) server.closeIdleConnections = () => {};
    for (const connections of this.#connections) connections.closeAfterResponses();
    for (const [at, { server }] of this.#apps.entries()) {
      // A connection that waits to be accepted would be reset, perhaps with a request that a proxy has sent.
      await noneWaits(this.#connections[at] as ConnectionLimit);
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
      `${listener} listener reached its limit of ${limits[listener]} connections, closing idle ones or, without any, new ones`,
    );
  }
}

/**
 * Resolves in a turn of the event loop that accepted no connection and took a tenth of a millisecond at most: Node accepts one in
 * a turn, also when others wait. After a second it resolves in any.
 */
async function noneWaits(connections: ConnectionLimit): Promise<void> {
  const deadline = performance.now() + maxQuietWaitMs;
  for (let start = 0; start < deadline; ) {
    const { accepted } = connections;
    start = performance.now();
    await nextTurn();
    if (connections.accepted === accepted && performance.now() - start < quietMs) return;
  }
}
