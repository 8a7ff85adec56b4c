import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { AuthenticationFailure } from '../access/authentication/authentication.ts';
import type { BucketName } from '../access/rate-limits/rate-limits.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import type { Database } from '../postgres/database.ts';
import type { DatabaseTrouble } from '../postgres/database-errors.ts';
import type { RequestBodies } from './bodies/request-bodies.ts';
import type { ResponseCache } from './response-cache.ts';

interface CollectedGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  /** Called with every scrape; sets the values. */
  readonly read: (gauge: Gauge) => void | Promise<void>;
}

/** Registers a gauge whose values are read when the metrics are scraped. */
export function collectGauge(
  registry: Registry,
  { name, help, labelNames = [], read }: CollectedGauge,
): void {
  new Gauge({
    name,
    help,
    labelNames: [...labelNames],
    registers: [registry],
    collect() {
      return read(this);
    },
  });
}

interface AnsweredRequest {
  readonly listener: Listener;
  readonly method: string;
  /** The path's pattern, not the path. */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

/** The metrics of `/metrics`, one instance per process. Labels are closed lists, never ids or paths. */
export class Metrics {
  readonly registry = new Registry();

  readonly #requests = new Counter({
    name: 'brandport_http_requests_total',
    help: 'Requests by listener, method, route and status.',
    labelNames: ['listener', 'method', 'route', 'status'],
    registers: [this.registry],
  });
  readonly #durations = new Histogram({
    name: 'brandport_http_request_duration_seconds',
    help: 'Time from the request’s headers to the end of its response, in seconds.',
    labelNames: ['listener', 'method', 'route'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  readonly #denials = new Counter({
    name: 'brandport_rate_limit_denials_total',
    help: 'Requests rejected with 429, by exhausted bucket.',
    labelNames: ['bucket'],
    registers: [this.registry],
  });
  readonly #authenticationFailures = new Counter({
    name: 'brandport_authentication_failures_total',
    help: 'Requests rejected with 401, by listener and reason.',
    labelNames: ['listener', 'reason'],
    registers: [this.registry],
  });
  readonly #idempotency = new Counter({
    name: 'brandport_idempotency_total',
    help: 'Requests with an Idempotency-Key that were not executed: replays, conflicts and reuses.',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly #retries = new Counter({
    name: 'brandport_transaction_retries_total',
    help: 'Transactions retried after a deadlock, a serialisation failure or a lost connection.',
    registers: [this.registry],
  });
  readonly #sharedTransactions = new Histogram({
    name: 'brandport_shared_transaction_requests',
    help: 'Requests in a turn of writes, by the operation of the first one.',
    labelNames: ['operation'],
    buckets: [1, 2, 4, 8, 16, 32, 64],
    registers: [this.registry],
  });
  readonly #ignoredNames = new Counter({
    name: 'brandport_ignored_fields_total',
    help: 'Requests with unknown fields or query parameters that were ignored.',
    labelNames: ['operation'],
    registers: [this.registry],
  });
  readonly #databaseRefusals = new Counter({
    name: 'brandport_database_refusals_total',
    help: 'Requests rejected with 503 because of the main database, by reason.',
    labelNames: ['reason'],
    registers: [this.registry],
  });
  readonly #waits = new Histogram({
    name: 'brandport_pool_wait_seconds',
    help: 'Time spent waiting, in seconds: connections for transactions and for reads, turns to write. Immediate grants are not counted.',
    labelNames: ['kind'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 20],
    registers: [this.registry],
  });
  readonly #displacedConnections = new Counter({
    name: 'brandport_http_connections_displaced_total',
    help: 'Idle connections closed to make room for new ones, by listener.',
    labelNames: ['listener'],
    registers: [this.registry],
  });
  #waitingWrites = () => 0;
  readonly #connections: [Listener, () => number][] = [];

  constructor(options: { processMetrics?: boolean } = {}) {
    if (options.processMetrics === true) collectDefaultMetrics({ register: this.registry });
  }

  request({ listener, method, route, status, seconds }: AnsweredRequest): void {
    this.#requests.inc({ listener, method, route, status });
    this.#durations.observe({ listener, method, route }, seconds);
  }

  connectionDisplaced(listener: Listener): void {
    this.#displacedConnections.inc({ listener });
  }

  watchConnections(listener: Listener, count: () => number): void {
    this.#connections.push([listener, count]);
    this.#displacedConnections.inc({ listener }, 0);
    if (this.#connections.length > 1) return;
    collectGauge(this.registry, {
      name: 'brandport_http_connections',
      help: 'Open connections, by listener.',
      labelNames: ['listener'],
      read: (gauge) => {
        for (const [name, read] of this.#connections) gauge.set({ listener: name }, read());
      },
    });
  }

  rateLimitDenied(bucket: BucketName): void {
    this.#denials.inc({ bucket });
  }

  authenticationFailed(listener: Listener, reason: AuthenticationFailure): void {
    this.#authenticationFailures.inc({ listener, reason });
  }

  idempotency(outcome: 'replayed' | 'conflict' | 'reuse'): void {
    this.#idempotency.inc({ outcome });
  }

  databaseRefused(reason: DatabaseTrouble): void {
    this.#databaseRefusals.inc({ reason });
  }

  watchWrites(waiting: () => number): void {
    this.#waitingWrites = waiting;
  }

  writeWaited(seconds: number): void {
    this.#waits.observe({ kind: 'writes' }, seconds);
  }

  writeTurn(operation: string, requests: number): void {
    this.#sharedTransactions.observe({ operation }, requests);
  }

  transactionRetried(): void {
    this.#retries.inc();
  }

  namesIgnored(operation: string): void {
    this.#ignoredNames.inc({ operation });
  }

  /** Shows connections and waiting requests, and counts finished waits; not by brand, because there is no bound to these. */
  watchDatabase(database: Database): void {
    collectGauge(this.registry, {
      name: 'brandport_pool_connections',
      help: 'Connections to the main database, for transactions and for reads, by state.',
      labelNames: ['kind', 'state'],
      read: (gauge) => {
        for (const { kind, busy, idle } of database.uses()) {
          gauge.set({ kind, state: 'busy' }, busy);
          gauge.set({ kind, state: 'idle' }, idle);
        }
      },
    });
    collectGauge(this.registry, {
      name: 'brandport_pool_waiting',
      help: 'Requests that wait for a connection, or for their turn to write (before they need a connection).',
      labelNames: ['kind'],
      read: (gauge) => {
        for (const { kind, waiting } of database.uses()) gauge.set({ kind }, waiting);
        gauge.set({ kind: 'writes' }, this.#waitingWrites());
      },
    });
    database.onWaited((kind, seconds) => this.#waits.observe({ kind }, seconds));
  }

  /** Shows the memory of request bodies in flight, read when the metrics are requested. */
  watchBodies({ rooms }: RequestBodies): void {
    const { small, growing, large, smallParsed, parsed, receiving } = rooms.known;
    const { receiving: strangersReceiving, ...strangers } = rooms.strangers;
    const ofBytes = { small, growing, large, small_parsed: smallParsed, parsed };
    const show = (gauge: Gauge, budgets: Readonly<Record<string, Semaphore>>, figure: 'held' | 'waiting') => {
      for (const [room, budget] of Object.entries(budgets)) gauge.set({ room }, budget[figure]);
      const sum = Object.values(strangers).reduce((all, budget) => all + budget[figure], 0);
      gauge.set({ room: 'without_credential' }, sum);
    };
    collectGauge(this.registry, {
      name: 'brandport_request_bodies_receiving',
      help: 'Request bodies that have not arrived in full.',
      read: (gauge) => gauge.set(receiving.held + strangersReceiving.held),
    });
    collectGauge(this.registry, {
      name: 'brandport_request_body_bytes',
      help: 'Bytes of request bodies that are read and not yet stored, by room of the budget.',
      labelNames: ['room'],
      read: (gauge) => show(gauge, ofBytes, 'held'),
    });
    collectGauge(this.registry, {
      name: 'brandport_request_bodies_waiting',
      help: 'Request bodies waiting for room in the budget.',
      labelNames: ['room'],
      read: (gauge) => show(gauge, { ...ofBytes, receiving }, 'waiting'),
    });
  }

  /** Shows the response cache, and counts the reads that it could and could not serve. */
  watchResponses(responses: ResponseCache): void {
    collectGauge(this.registry, {
      name: 'brandport_response_cache_bytes',
      help: 'Bytes of response bodies that this process keeps.',
      read: (gauge) => gauge.set(responses.use.bytes),
    });
    new Counter({
      name: 'brandport_response_cache_reads_total',
      help: 'Reads with a version, by whether their body was served from the cache (hit) or read (miss).',
      labelNames: ['outcome'],
      registers: [this.registry],
      collect() {
        const { hits, misses } = responses.use;
        this.reset();
        this.inc({ outcome: 'hit' }, hits);
        this.inc({ outcome: 'miss' }, misses);
      },
    });
  }
}

export type Listener = 'client' | 'internal';
