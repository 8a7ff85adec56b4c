import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { ClientConfig } from 'pg';
import pg from 'pg';
import { isConnectionFailure, RecoveringError, RefusedConnectionError } from '../database-errors.ts';

/** Milliseconds for the statement that prepares the session, for connections without a shorter limit. */
const prepareLimitMs = 5_000;

type Connected = (error?: Error) => void;

/**
 * A connection whose session is prepared when `connect` has succeeded: its settings are set, and its server is no standby.
 * Settings are sent in a statement, because PgBouncer refuses them in the start-up packet [D184].
 */
export class SessionClient extends pg.Client {
  readonly #session: Session;
  readonly #limitMs: number;
  #backend = 0;

  constructor(config: SessionConfig) {
    super(config);
    this.#session = config.session;
    this.#limitMs = config.connectionTimeoutMillis ?? prepareLimitMs;
    watchForLoss(this);
  }

  /**
   * Connects and prepares the session. The connection is closed if that fails.
   * @throws RecoveringError, RefusedConnectionError; what `pg` throws when the server cannot be reached
   */
  override connect(): Promise<this>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<this> | undefined {
    const connected = this.#open();
    if (callback === undefined) return connected;
    connected.then(
      () => callback(),
      (error: Error) => callback(error),
    );
    return undefined;
  }

  /** True behind a pooler: the process that the start-up named is not the one that runs the statements. */
  get isPooled(): boolean {
    return (this as unknown as { processID: number }).processID !== this.#backend;
  }

  async #open(): Promise<this> {
    await super.connect().catch((error: Error) => {
      // A name with several addresses fails with an error for each, and no message.
      if (error instanceof AggregateError)
        error.message ||= error.errors.map(({ message }: Error) => message).join(', ');
      if (untrusted.test((error as NodeJS.ErrnoException).code ?? ''))
        error.message = `${error.message.replace(/; if the root CA.*$/, '')}${certificateAdvice}`;
      if (noPassword.test(error.message)) error.message = passwordAdvice;
      throw isConnectionFailure(error) ? error : new RefusedConnectionError(error);
    });
    try {
      const { rows } = await this.query({
        text: prepareStatement(this.#session.settings),
        query_timeout: this.#limitMs,
      } as pg.QueryConfig);
      this.#backend = rows[0].pid;
      if (rows[0].isRecovering && this.#session.mayBeStandby !== true) throw new RecoveringError();
      return this;
    } catch (error) {
      socketOf(this).destroy();
      throw error;
    }
  }
}

/** Codes of certificates whose authority is not known. */
const untrusted = /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF))/;
/** The error of `pg` if the server asks for a password and none is set. */
const noPassword = /client password must be/;
const passwordAdvice =
  'the server asks for a password, and there is none in the address, in PGPASSWORD or in ~/.pgpass';

const certificateAdvice =
  '. The certificate of the database is of an authority that is not known here: add sslmode=verify-full&sslrootcert=<its file> to ' +
  'the address, or sslmode=no-verify to encrypt without a check';

/** One statement, so that a new connection costs one round trip more than its login. No search path counts yet. */
function prepareStatement(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', false)`,
  );
  const columns = [
    'pg_catalog.pg_is_in_recovery() as "isRecovering"',
    'pg_catalog.pg_backend_pid() as pid',
    ...set,
  ];
  return `select ${columns.join(', ')}`;
}

/**
 * Opens a connection, which the caller closes. If it is lost, the next statement fails.
 * @throws RecoveringError, RefusedConnectionError; what `pg` throws when the server cannot be reached
 */
export async function openConnection(config: SessionConfig): Promise<SessionClient> {
  const client = new SessionClient(config);
  try {
    return await client.connect();
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}

/** The state that a connection gets before its first statement. */
export interface Session {
  /** Settings by name, for the whole session. From code only: the names and values become part of a statement. */
  readonly settings: Readonly<Record<string, string>>;
  /** True for connections that read only and accept rows of a moment ago. */
  readonly mayBeStandby?: boolean;
}

export interface SessionConfig extends ClientConfig {
  readonly session: Session;
}

const losses = new WeakMap<EventEmitter, Error>();

/**
 * Listens to the errors of a connection for its whole life: an error event without a listener ends the process, and a turn of the
 * microtask queue passes between the listeners of `pg-pool` and those of the borrower.
 */
function watchForLoss(client: EventEmitter): void {
  client.on('error', (error: Error) => {
    if (!losses.has(client)) losses.set(client, error);
  });
}

/** The error that ended a watched connection; undefined while it works. */
export function lossOf(client: EventEmitter): Error | undefined {
  return losses.get(client);
}

/** Returns a connection's socket, which the types of `pg` hide. While it is corked, writes are sent together. */
export function socketOf(client: pg.Client | pg.PoolClient): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}
