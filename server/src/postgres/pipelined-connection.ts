import type { Socket } from 'node:net';
import { SessionClient, type SessionConfig, socketOf } from './sessions/session-client.ts';
import { type Statement, sendStatement } from './statement.ts';

/** The read was not answered: it belongs into the pool of long reads, which divides its connections between owners. */
export const isLong = Symbol('is long');

export interface ReadOutcome {
  readonly resolve: (rows: unknown[] | typeof isLong) => void;
  readonly reject: (error: unknown) => void;
}

/** A failure on a connection. `wasSent`: the statement had left for the server. */
export interface ReadFailure {
  readonly error: unknown;
  readonly connection: object;
  readonly wasSent: boolean;
}

/** A read from its call to its outcome. It may be sent on several connections: the first answer counts. */
export class ShortRead {
  readonly statement: Statement<unknown>;
  /** Names the owner and the statement. */
  readonly key: string;
  /** Where it was sent last. */
  connection: object | null = null;
  isRepeated = false;
  isDone = false;
  /** Called once it has its outcome. */
  onEnd: (() => void) | undefined;
  readonly #outcome: ReadOutcome;
  readonly #onFailure: (read: ShortRead, failure: ReadFailure) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    statement: Statement<unknown>,
    key: string,
    outcome: ReadOutcome,
    onFailure: (read: ShortRead, failure: ReadFailure) => void,
  ) {
    this.statement = statement;
    this.key = key;
    this.#outcome = outcome;
    this.#onFailure = onFailure;
  }

  /** Fails after `limitMs`, with the words of the driver. */
  limit(limitMs: number): void {
    this.#timer = setTimeout(() => this.reject(new Error('Query read timeout')), limitMs);
  }

  answer(rows: unknown[]): void {
    this.#end(() => this.#outcome.resolve(rows));
  }

  /** Returns it to its caller as a long read. */
  giveBack(): void {
    this.#end(() => this.#outcome.resolve(isLong));
  }

  reject(error: unknown): void {
    this.#end(() => this.#outcome.reject(error));
  }

  /** Notes that a connection failed it. One that it was moved away from does not count. */
  fail(failure: ReadFailure): void {
    if (!this.isDone && this.connection === failure.connection) this.#onFailure(this, failure);
  }

  #end(settle: () => void): void {
    if (this.isDone) return;
    this.isDone = true;
    clearTimeout(this.#timer);
    settle();
    this.onEnd?.();
  }
}

/** Milliseconds for which one statement may keep those behind it waiting. */
const longestHeadMs = 50;

interface ConnectionEvents {
  /** PostgreSQL has worked on `slow` for 50 ms, and answers those behind it later. Called once. */
  readonly onHeldUp: (slow: ShortRead, behind: readonly ShortRead[]) => void;
  /** The connection failed or ended. */
  readonly onEnded: () => void;
}

/**
 * One connection on which reads are pipelined: point reads are more than twice as fast as with a pool of ten. PostgreSQL answers
 * them in their order, so that one that takes long holds up those behind it.
 */
export class PipelinedConnection {
  readonly #client: SessionClient;
  readonly #ready: Promise<unknown>;
  readonly #events: ConnectionEvents;
  /** In the order in which they were sent. */
  readonly #inFlight = new Set<ShortRead>();
  #headSince = 0;
  #isWatched = false;
  #isReady = false;
  #isHeldUp = false;

  constructor(config: SessionConfig, events: ConnectionEvents) {
    this.#events = events;
    // `pipeline` is missing in the types of pg; the option is documented.
    this.#client = new SessionClient({ ...config, pipeline: true } as SessionConfig);
    this.#ready = this.#client.connect().then(() => {
      this.#isReady = true;
    });
    this.#ready.catch(events.onEnded);
    this.#client.on('error', events.onEnded);
    this.#client.on('end', events.onEnded);
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  /** Sends a read. Those of one turn of the event loop leave in one write. */
  send(read: ShortRead): void {
    if (this.#isReady) this.#send(read);
    else
      this.#ready.then(
        () => this.#send(read),
        (error: unknown) => read.fail({ error, connection: this, wasSent: false }),
      );
  }

  /** Lets the connection be used again after the slow read has ended. */
  reuse(): void {
    this.#isHeldUp = false;
  }

  /** Ends the connection after the reads in flight. */
  async end(): Promise<void> {
    await this.#ready.catch(() => {});
    await this.#client.end().catch(() => {});
  }

  /** Ends the connection at once; PostgreSQL drops the reads that it has not begun. */
  destroy(): void {
    socketOf(this.#client).destroy();
  }

  #send(read: ShortRead): void {
    holdForThisTurn(socketOf(this.#client));
    if (this.#inFlight.size === 0) this.#headSince = performance.now();
    this.#inFlight.add(read);
    this.#lookIn(longestHeadMs);
    sendStatement(this.#client, read.statement, (error, result) => {
      this.#inFlight.delete(read);
      this.#headSince = performance.now();
      if (error) read.fail({ error, connection: this, wasSent: true });
      else read.answer(result.rows);
    });
  }

  #lookIn(ms: number): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    setTimeout(this.#look, ms).unref();
  }

  readonly #look = () => {
    this.#isWatched = false;
    const [head] = this.#inFlight;
    if (head === undefined || this.#isHeldUp) return;
    const leftMs = this.#headSince + longestHeadMs - performance.now();
    if (leftMs > 0) this.#lookIn(leftMs + 1);
    // This process may have been busy: an answer that has arrived is read before the next immediate.
    else setImmediate(() => this.#report(head));
  };

  #report(head: ShortRead): void {
    const [slow, ...behind] = this.#inFlight;
    if (slow === undefined || this.#isHeldUp) return;
    if (slow === head) {
      this.#isHeldUp = true;
      this.#events.onHeldUp(slow, behind);
    } else this.#lookIn(longestHeadMs);
  }
}

/** Sends all statements of one turn of the event loop in one write: writing was half of a read's cost in this process. */
function holdForThisTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
}
