import pg from 'pg';
import { watchForLoss } from '../connection-loss.ts';
import { socketOf } from '../socket-of.ts';
import { isConnectionFailure } from '../sqlstate.ts';
import type { Session, SessionConfig } from './session.ts';
import { RecoveringError, RefusedConnectionError } from './session-errors.ts';

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
      throw isConnectionFailure(error) ? error : new RefusedConnectionError(error);
    });
    try {
      const { rows } = await this.query({
        text: prepareStatement(this.#session.settings),
        query_timeout: this.#limitMs,
      } as pg.QueryConfig);
      this.#backend = rows[0].pid;
      if (rows[0].is_recovering && this.#session.mayBeStandby !== true) throw new RecoveringError();
      return this;
    } catch (error) {
      socketOf(this).destroy();
      throw error;
    }
  }
}

/** One statement, so that a new connection costs one round trip more than its login. No search path counts yet. */
function prepareStatement(settings: Readonly<Record<string, string>>): string {
  const set = Object.entries(settings).map(
    ([name, value]) => `pg_catalog.set_config('${name}', '${value}', false)`,
  );
  const columns = [
    'pg_catalog.pg_is_in_recovery() as is_recovering',
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
