import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { findLatestExchange, owesResponse } from '../http/connections.ts';

/**
 * Limits the connections of one listener [D70]. At the limit, the least useful one is closed: the oldest that never carried a
 * request, or else the one with the least recent request. A connection that waits for a response is never closed; if all do, the
 * new one is.
 */
export class ConnectionLimit {
  readonly #silent = new Set<Socket>();
  /** The least recently used first. */
  readonly #used = new Set<Socket>();

  /** `onDisplaced` is called for each connection that is closed to make room. */
  constructor(server: Server, limit: number, onDisplaced: () => void) {
    server.on('connection', (socket: Socket) => {
      this.#silent.add(socket);
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
    for (const socket of this.#silent) if (socket !== newcomer) return socket;
    for (const socket of this.#used) if (!owesResponse(socket)) return socket;
    return undefined;
  }

  #forget(socket: Socket): void {
    this.#silent.delete(socket);
    this.#used.delete(socket);
  }
}
