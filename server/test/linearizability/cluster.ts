import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ServerProcess,
  type ServerProcessOptions,
  startServerProcess,
} from '../support/server-process.ts';
import { randomItem } from './random.ts';

/** Server processes on one database, of which one at a time is killed and started again. */
export class Cluster {
  readonly #servers: ServerProcess[];
  readonly #options: ServerProcessOptions;
  #kills = 0;

  private constructor(servers: ServerProcess[], options: ServerProcessOptions) {
    this.#servers = servers;
    this.#options = options;
  }

  static async start(count: number, options: ServerProcessOptions): Promise<Cluster> {
    const servers = await Promise.all(Array.from({ length: count }, () => startServerProcess(options)));
    return new Cluster(servers, options);
  }

  get kills(): number {
    return this.#kills;
  }

  get first(): ServerProcess {
    return this.#servers[0] as ServerProcess;
  }

  /** The client API of one of the servers, which may be down. */
  clientUrl(): string {
    return `${randomItem(this.#servers).clientUrl}/v1/client`;
  }

  /**
   * Kills servers with SIGKILL, one after the other at random moments, and starts each again, until `endsAt` and until
   * there were `atLeast` kills: starts take long on a busy machine.
   */
  async killUntil(endsAt: number, pauseMs: number, atLeast: number): Promise<void> {
    while (performance.now() < endsAt || this.#kills < atLeast) {
      await sleep(pauseMs * (0.5 + Math.random()));
      const index = this.#kills % this.#servers.length;
      await (this.#servers[index] as ServerProcess).kill9();
      this.#kills += 1;
      this.#servers[index] = await startServerProcess(this.#options);
    }
  }

  /** @throws Error when a server does not stop orderly */
  async stop(): Promise<void> {
    const endings = await Promise.all(this.#servers.map((server) => server.stop()));
    if (endings.some(({ code }) => code !== 0)) throw new Error(`ended with ${JSON.stringify(endings)}`);
  }
}
