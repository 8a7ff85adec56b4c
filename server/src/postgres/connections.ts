import pg from 'pg';
import { type Owner, Semaphore, type SemaphoreLimits } from '../lib/semaphore.ts';
import type { WaitOptions } from '../lib/turn-wait.ts';
import {
  type DatabaseAddress,
  readConnectionOptions,
  readingLargeJson,
  requestConnectionOptions,
  type WaitLimits,
  waitLimits,
} from './connection-options.ts';
import { isConnectionFailure, type WriteTrouble } from './database-errors.ts';
import type { isLong } from './pipelined-connection.ts';
import { runTransaction } from './run-transaction.ts';
import { SessionClient } from './sessions/session-client.ts';
import { ShortReads } from './short-reads.ts';
import type { Statement } from './statement.ts';
import { WriteHealth, writeProbe } from './write-health.ts';

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Connections for transactions; default 10. */
  readonly poolSize?: number;
  /** Connections for long reads; default 6, of which an owner has a third. One of a given size is that of a command or job. */
  readonly readPoolSize?: number;
  readonly limits?: WaitLimits;
  /** Planner settings of the pools' connections, by name. */
  readonly plannerSettings?: Readonly<Record<string, string>>;
  /**
   * Receives the reason when writes become impossible, and null when they are possible again. If set, failed writes
   * are noted and probed until one succeeds; only for the main database, which has the table of the probe.
   */
  readonly onWriteTrouble?: (trouble: WriteTrouble | null) => void;
  /** Receives each failure to connect and each loss of a connection, idle ones included. The caller gets it too. */
  readonly onLoss?: (error: Error) => void;
}

/** Further callers are refused at once: they would only fill the memory. */
const maxWaiting = 4_000;

export type TurnKind = 'transactions' | 'reads';

export interface TurnUse {
  readonly kind: TurnKind;
  readonly busy: number;
  /** Open connections that are not in use. */
  readonly idle: number;
  readonly waiting: number;
}

/** A row of the statement that `/readyz` sends. */
export interface DatabaseProbe {
  readonly isRecovering: boolean;
}

/** A pool and the turns for it: no more work is admitted than it has connections. */
interface LimitedPool {
  readonly kind: TurnKind;
  readonly pool: pg.Pool;
  readonly turns: Semaphore;
}

/** The connections of a process to one database: a pool for transactions, one for long reads, and shared ones for short reads. */
export class Connections {
  readonly transactions: LimitedPool;
  /** Long reads. */
  readonly reads: LimitedPool;
  /** null where writes are not watched. */
  readonly writeHealth: WriteHealth | null;
  /** Called after every wait for a turn, regardless of its outcome. Set by the metrics. */
  onWaited: (kind: TurnKind, seconds: number) => void = () => {};
  readonly #shortReads: ShortReads;
  /** Reads with which every request begins, and probes. */
  readonly #vitalReads: ShortReads;
  readonly #limits: WaitLimits;
  readonly #onLoss: (error: Error) => void;
  readonly #clients = new Set<pg.PoolClient>();

  constructor(options: DatabaseOptions) {
    const { address, applicationName, limits = waitLimits } = options;
    this.#limits = limits;
    this.#onLoss = options.onLoss ?? (() => {});
    this.transactions = this.#pool('transactions', options, options.poolSize ?? 10);
    this.reads = this.#pool('reads', options, options.readPoolSize ?? 6);
    const probe = () => runTransaction(this.transactions.pool, writeProbe);
    this.writeHealth =
      options.onWriteTrouble === undefined
        ? null
        : new WriteHealth(
            () => this.inTurn(this.transactions, null, undefined, probe),
            options.onWriteTrouble,
          );
    const shared = { config: readConnectionOptions(address, applicationName), limitMs: waitLimits.read };
    this.#shortReads = new ShortReads({ ...shared, movesLong: true });
    this.#vitalReads = new ShortReads({ ...shared, movesLong: false });
  }

  /** Runs `work` in turn. @throws TurnError if none is free in time; the reason of `gone`; what `work` throws */
  async inTurn<T>(
    pool: LimitedPool,
    owner: Owner,
    gone: WaitOptions['gone'],
    work: () => Promise<T>,
  ): Promise<T> {
    const turn =
      pool.turns.tryTake(owner, 1) ??
      (await this.#waited(pool.kind, () =>
        pool.turns.take(owner, 1, { limitMs: this.#limits.connect, gone }),
      ));
    try {
      return await work();
    } catch (error) {
      if (pool === this.transactions) this.writeHealth?.failed(error);
      if (isConnectionFailure(error)) this.#onLoss(error as Error);
      throw error;
    } finally {
      turn.release();
    }
  }

  /** Returns the rows of a short read, or `isLong` for one that takes too long for the shared connection. */
  async readShort<Row>(statement: Statement<Row>, owner: Owner): Promise<Row[] | typeof isLong> {
    const lane = statement.vital === true ? this.#vitalReads : this.#shortReads;
    try {
      return await lane.run(statement, owner);
    } catch (error) {
      if (isConnectionFailure(error)) this.#onLoss(error as Error);
      throw error;
    }
  }

  /**
   * Notes what a probe found, and returns whether the server can serve requests. The connections to a server in recovery are
   * replaced: a pooler may have led them to a standby.
   */
  noteProbe(probe: DatabaseProbe | undefined): boolean {
    if (probe?.isRecovering) for (const lane of [this.#shortReads, this.#vitalReads]) lane.replace();
    return probe?.isRecovering === false;
  }

  /** Returns how much of each pool is in use now. */
  uses(): TurnUse[] {
    return [this.transactions, this.reads].map(({ kind, pool, turns }) => {
      return { kind, busy: turns.held, idle: pool.idleCount, waiting: turns.waiting };
    });
  }

  /** Waits for running work, for `limitMs` at most if given, then closes every connection. */
  async close(limitMs?: number): Promise<void> {
    this.writeHealth?.close();
    const clients = [...this.#clients] as unknown as pg.Client[];
    const gone = clients.map((client) => new Promise<void>((resolve) => client.once('end', resolve)));
    // A connection with a running statement is destroyed; its transaction rolls back.
    const cut = () => clients.map((client) => client.end());
    const timer = limitMs === undefined ? undefined : setTimeout(cut, limitMs);
    const pools = [this.transactions.pool, this.reads.pool].map((pool) => pool.end());
    await Promise.all([this.#shortReads.close(), this.#vitalReads.close(), ...pools, ...gone]);
    clearTimeout(timer);
  }

  async #waited<T>(kind: TurnKind, wait: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await wait();
    } finally {
      this.onWaited(kind, (performance.now() - startedAt) / 1000);
    }
  }

  #pool(kind: TurnKind, options: DatabaseOptions, width: number): LimitedPool {
    const { address, applicationName, limits, plannerSettings } = options;
    const isLent = kind === 'transactions' || options.readPoolSize !== undefined;
    const config = requestConnectionOptions(address, applicationName, limits, plannerSettings);
    const pool = new pg.Pool({
      ...(kind === 'reads' ? readingLargeJson(config) : config),
      // For transactions, which pipeline statements. Missing in the types of pg; the option is documented.
      pipeline: true,
      Client: SessionClient as never,
      max: width,
      idleTimeoutMillis: 30_000,
    });
    pool.on('error', this.#onLoss);
    pool.on('connect', (client) => this.#clients.add(client));
    pool.on('remove', (client) => this.#clients.delete(client));
    return { kind, pool, turns: new Semaphore(connectionLimits(width, isLent)) };
  }
}

/**
 * Divides connections between owners [platform-76] [D69]: while others wait, one has at most a third. Otherwise it may have more
 * of what is lent, but one third stays free, so that a new owner gets one at once. Long reads are not lent: they keep
 * PostgreSQL's processors busy, which the short reads of all others need.
 */
export function connectionLimits(width: number, isLent: boolean): SemaphoreLimits {
  const third = Math.floor(width / 3);
  const limits = { total: width, perOwner: Math.max(1, third), maxWaiting };
  return isLent ? { ...limits, lendsAllBut: third } : limits;
}
