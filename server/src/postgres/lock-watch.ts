import { connectionOptions, type DatabaseAddress } from './connection-options.ts';
import { listLockHolders } from './lock-holders.ts';
import { listOpenBackends, openConnection, type SessionClient } from './sessions/session-client.ts';

/** A wait of less than this is not reported. */
const quietMs = 1_500;
const intervalMs = 500;

/**
 * Reports for which locks this process waits, and who holds them. Opens its connection only if the work takes longer than 1.5 s.
 * Failures are ignored: the work reports its own.
 */
export class LockWatch {
  readonly #address: DatabaseAddress;
  readonly #report: (holders: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #client: Promise<SessionClient> | null = null;
  #isStopped = false;
  #holders: string | null = null;

  /** `report` is called for each change of the holders. */
  constructor(address: DatabaseAddress, report: (holders: string) => void) {
    this.#address = address;
    this.#report = report;
    this.#schedule(quietMs);
  }

  /** The holders of the last lock that was waited for; null if none was. */
  get holders(): string | null {
    return this.#holders;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#client?.then((client) => client.end()).catch(() => {});
  }

  #schedule(ms: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#look(), ms);
    this.#timer.unref();
  }

  async #look(): Promise<void> {
    try {
      const waiting = listOpenBackends();
      this.#client ??= openConnection(connectionOptions(this.#address, 'brandport-lock-watch'));
      const holders = await listLockHolders(await this.#client, waiting, 'without own');
      if (holders !== null && holders !== this.#holders && !this.#isStopped) this.#report(holders);
      this.#holders = holders ?? this.#holders;
    } catch {
      this.#client = null;
    }
    this.#schedule(intervalMs);
  }
}

export async function watchingLocks<T>(
  address: DatabaseAddress,
  report: (holders: string) => void,
  work: (watch: LockWatch) => Promise<T>,
): Promise<T> {
  const watch = new LockWatch(address, report);
  try {
    return await work(watch);
  } finally {
    await watch.stop();
  }
}
