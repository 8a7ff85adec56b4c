import type { Socket } from 'node:net';
import pg from 'pg';
import { type Owner, Semaphore, type SemaphoreLimits, type WaitOptions } from '../lib/semaphore.ts';
import {
  type DatabaseAddress,
  readConnectionOptions,
  requestConnectionOptions,
  type WaitLimits,
  waitLimits,
} from './connection-options.ts';
import {
  isAnswerTimeout,
  isConnectionFailure,
  type WriteTrouble,
  writeTroubleOf,
} from './database-errors.ts';
import { runTransaction } from './run-transaction.ts';
import { SessionClient, type SessionConfig, socketOf } from './sessions/session-client.ts';
import { type Statement, statement } from './statement.ts';
import type { Transaction } from './transaction.ts';

const probeIntervalMs = 1_000;
/** The length in characters, and bytes on disk, that must fit before writes count as possible again. */
const probeLength = 256 * 1024;

/**
 * Tracks whether writes are possible. After a write failed because the disk is full or the database is read-only, it probes with
 * its own write every second until one succeeds [platform-21] [D78]. Costs nothing while writes succeed.
 */
class WriteHealth {
  readonly #probe: () => Promise<void>;
  readonly #onChange: (trouble: WriteTrouble | null) => void;
  #trouble: WriteTrouble | null = null;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /** `probe` writes, and throws if that fails. */
  constructor(probe: () => Promise<void>, onChange: (trouble: WriteTrouble | null) => void) {
    this.#probe = probe;
    this.#onChange = onChange;
  }

  /** Why writes are impossible; null if no reason is known. */
  get trouble(): WriteTrouble | null {
    return this.#trouble;
  }

  /** Notes the failure of a write. */
  failed(error: unknown): void {
    const trouble = writeTroubleOf(error);
    if (trouble !== null) this.found(trouble);
  }

  /** Notes why the next write would fail; null: it would succeed. */
  found(trouble: WriteTrouble | null): void {
    if (this.#trouble === trouble || this.#closed) return;
    const wasGreen = this.#trouble === null;
    this.#trouble = trouble;
    this.#onChange(trouble);
    if (wasGreen) this.#schedule();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.#try(), probeIntervalMs);
    this.#timer.unref();
  }

  async #try(): Promise<void> {
    try {
      await this.#probe();
      this.found(null);
    } catch (error) {
      // While the database is unreachable, the last known state of its disk is kept.
      this.failed(error);
      this.#schedule();
    }
  }
}

/** Writes something that needs new disk space: TRUNCATE gives the table a new file, which the filler must fit into. */
async function writeProbe(tx: Transaction): Promise<void> {
  tx.queue(statement('truncate_write_probe', 'truncate write_probe'));
  await tx.run(
    statement<never>('fill_write_probe', `insert into write_probe (filler) values (repeat('x', $1))`, [
      probeLength,
    ]),
  );
}

export interface DatabaseOptions {
  readonly address: DatabaseAddress;
  readonly applicationName: string;
  /** Connections for transactions; default 10. */
  readonly poolSize?: number;
  /** Connections for long reads; default 6. */
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

/** The share that work counts towards: a brand's id, the name of what many brands do together, or null. */
export type Share = Owner;

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
  readonly is_recovering: boolean;
}

/** A pool and the turns for it: no more work is admitted than it has connections. */
interface LimitedPool {
  readonly kind: TurnKind;
  readonly pool: pg.Pool;
  readonly turns: Semaphore;
}

export class Connections {
  readonly transactions: LimitedPool;
  readonly reads: LimitedPool;
  readonly shortReads: ReadConnection;
  /** Called after every wait, regardless of its outcome. Set by the metrics. */
  onWaited: (kind: TurnKind, seconds: number) => void = () => {};
  /** Null where writes are not watched. */
  readonly writeHealth: WriteHealth | null;
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
    this.shortReads = new ReadConnection(readConnectionOptions(address, applicationName));
  }

  /** Runs `work` in turn. @throws TurnError if none is free in time; the reason of `gone`; what `work` throws */
  async inTurn<T>(
    pool: LimitedPool,
    share: Share,
    gone: WaitOptions['gone'],
    work: () => Promise<T>,
  ): Promise<T> {
    const turn =
      pool.turns.tryTake(share, 1) ??
      (await this.waited(pool.kind, () =>
        pool.turns.take(share, 1, { limitMs: this.#limits.connect, gone }),
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

  async readShort<Row>(statement: Statement<Row>): Promise<Row[]> {
    try {
      return await this.shortReads.run(statement);
    } catch (error) {
      if (isConnectionFailure(error)) this.#onLoss(error as Error);
      throw error;
    }
  }

  async waited<T>(kind: TurnKind, wait: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await wait();
    } finally {
      this.onWaited(kind, (performance.now() - startedAt) / 1000);
    }
  }

  /**
   * Notes what a probe found, and returns whether the server can serve requests. The connection to a server in recovery is
   * replaced: a pooler may have led it to a standby.
   */
  noteProbe(probe: DatabaseProbe | undefined): boolean {
    if (probe?.is_recovering) this.shortReads.replace();
    return probe?.is_recovering === false;
  }

  uses(): TurnUse[] {
    return [this.transactions, this.reads].map(({ kind, pool, turns }) => {
      return { kind, busy: turns.held, idle: pool.idleCount, waiting: turns.waiting };
    });
  }

  async close(limitMs?: number): Promise<void> {
    this.writeHealth?.close();
    const clients = [...this.#clients] as unknown as pg.Client[];
    const gone = clients.map((client) => new Promise<void>((resolve) => client.once('end', resolve)));
    // A connection with a running statement is destroyed; its transaction rolls back.
    const cut = () => clients.map((client) => client.end());
    const timer = limitMs === undefined ? undefined : setTimeout(cut, limitMs);
    const pools = [this.transactions.pool, this.reads.pool].map((pool) => pool.end());
    await Promise.all([this.shortReads.close(), ...pools, ...gone]);
    clearTimeout(timer);
  }

  #pool(kind: TurnKind, options: DatabaseOptions, width: number): LimitedPool {
    const pool = new pg.Pool({
      ...requestConnectionOptions(
        options.address,
        options.applicationName,
        options.limits,
        options.plannerSettings,
      ),
      // For transactions, which pipeline statements. Missing in the types of pg; the option is documented.
      pipeline: true,
      Client: SessionClient as never,
      max: width,
      idleTimeoutMillis: 30_000,
    });
    pool.on('error', this.#onLoss);
    pool.on('connect', (client) => this.#clients.add(client));
    pool.on('remove', (client) => this.#clients.delete(client));
    return { kind, pool, turns: new Semaphore(connectionLimits(width)) };
  }
}

/**
 * Divides connections between brands [platform-76] [D69]: while others wait, a share has at most a third. Otherwise it may
 * have more, but one third stays free, so that a new share gets a connection at once.
 */
export function connectionLimits(width: number): SemaphoreLimits {
  const third = Math.floor(width / 3);
  return { total: width, perOwner: Math.max(1, third), lendsAllBut: third, maxWaiting };
}

/**
 * One connection on which short reads are pipelined: point reads are more than twice as fast as with a pool of ten. If the
 * connection breaks, the reads in flight are repeated once on a new one. If that fails, or no response arrives in time, the
 * caller receives the error, and the next read connects again.
 */
class ReadConnection {
  readonly #config: SessionConfig;
  #connecting: Promise<SessionClient> | null = null;
  #connected: SessionClient | null = null;
  #closed = false;

  constructor(config: SessionConfig) {
    this.#config = config;
  }

  async run<Row>(statement: Statement<Row>): Promise<Row[]> {
    const connecting = this.#client();
    // Without a wait, so that what a turn asks for leaves in that turn.
    const client = this.#connected ?? (await connecting);
    try {
      return await ask(client, statement);
    } catch (error) {
      if (this.#closed || !isConnectionFailure(error) || isAnswerTimeout(error)) throw error;
      // The failure may arrive before the connection's end event; a second read on it would fail, too.
      if (this.#connecting === connecting) this.#forget();
      return ask(await this.#client(), statement);
    }
  }

  #client(): Promise<SessionClient> {
    if (this.#closed) throw new Error('the database connection is closed');
    this.#connecting ??= this.#connect();
    return this.#connecting;
  }

  #connect(): Promise<SessionClient> {
    // `pipeline` is missing in the types of pg; the option is documented.
    const client = new SessionClient({ ...this.#config, pipeline: true } as SessionConfig);
    const connecting = client.connect().then(() => {
      if (this.#connecting === connecting) this.#connected = client;
      return client;
    });
    const forget = () => {
      if (this.#connecting === connecting) this.#forget();
    };
    connecting.catch(forget);
    client.on('error', forget);
    client.on('end', forget);
    return connecting;
  }

  #forget(): void {
    this.#connecting = null;
    this.#connected = null;
  }

  /** Ends the connection after the reads in flight; the next read connects again. */
  replace(): void {
    const client = this.#connected;
    this.#forget();
    client?.end().catch(() => {});
  }

  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#connecting?.catch(() => null);
    await client?.end();
  }
}

async function ask<Row>(client: pg.Client, { name, text, values }: Statement<Row>): Promise<Row[]> {
  holdForThisTurn(socketOf(client));
  const result = await client.query({ name, text, values: values as unknown[] });
  return result.rows as Row[];
}

/** Sends all statements of one turn of the event loop in one write: writing was half of a read's cost in this process. */
function holdForThisTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
