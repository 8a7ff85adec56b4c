import type { ServerHost } from './database-url.ts';
import { RecoveringError } from './session-errors.ts';

export type ServerState = 'writable' | 'read_only';

/** Connects to a server within a time limit, and returns its state. @throws if it cannot be used at all */
export type ProbeServer = (host: ServerHost) => Promise<ServerState>;

/**
 * The servers of one `DATABASE_URL`, of which one accepts writes. All connections of the process go to the same one. When it
 * fails, all servers are asked at once; each has its time limit.
 */
export class ServerList {
  readonly #hosts: readonly ServerHost[];
  readonly #probe: ProbeServer;
  readonly #listeners = new Set<(host: ServerHost) => void>();
  #last: ServerHost | null = null;
  #isTrusted = false;
  #search: Promise<ServerHost> | null = null;

  constructor(hosts: readonly ServerHost[], probe: ProbeServer) {
    this.#hosts = hosts;
    this.#probe = probe;
  }

  /** Returns the server to connect to: the last one that worked, or the one that a search finds. */
  async choose(): Promise<ServerHost> {
    if (this.#last !== null && this.#isTrusted) return this.#last;
    this.#search ??= this.#find().finally(() => {
      this.#search = null;
    });
    return this.#search;
  }

  /** Notes that connecting to a server failed, or that it accepts no writes: the next connection searches. */
  failed(host: ServerHost): void {
    if (isSame(host, this.#last)) this.#isTrusted = false;
  }

  /** Calls the listener each time that another server than before is chosen. Returns a function that removes it. */
  onMove(listener: (host: ServerHost) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #find(): Promise<ServerHost> {
    const probes = this.#hosts.map(async (host) => ({ host, state: await this.#probe(host) }));
    const chosen = await firstUsable(this.#hosts, probes);
    const isMoved = this.#last !== null && !isSame(chosen, this.#last);
    this.#last = chosen;
    this.#isTrusted = true;
    if (isMoved) for (const listener of this.#listeners) listener(chosen);
    return chosen;
  }
}

export function isSame(a: ServerHost, b: ServerHost | null): boolean {
  return b !== null && a.host === b.host && a.port === b.port;
}

/**
 * Returns the first server that accepts writes. If none does, a primary that its operator made read-only still serves reads.
 * @throws the error of the first server that is not a standby, else of the last one; its message names what was found at each
 */
async function firstUsable(
  hosts: readonly ServerHost[],
  probes: readonly Promise<{ host: ServerHost; state: ServerState }>[],
): Promise<ServerHost> {
  const writable = probes.map(async (probe) => {
    const { host, state } = await probe;
    if (state !== 'writable') throw new RecoveringError();
    return host;
  });
  try {
    return await Promise.any(writable);
  } catch {
    const outcomes = await Promise.allSettled(probes);
    const readOnly = outcomes.find((outcome) => outcome.status === 'fulfilled');
    if (readOnly !== undefined) return readOnly.value.host;
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    // Its class and code decide what happens next.
    const thrown = reasons.find((reason) => !(reason instanceof RecoveringError)) ?? reasons.at(-1);
    const found = hosts.map(({ host, port }, index) => `${host}:${port}: ${reasons[index]?.message}`);
    thrown.message = `none of ${reasons.length} servers can be used (${found.join('; ')})`;
    throw thrown;
  }
}
