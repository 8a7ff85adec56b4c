import pg from 'pg';
import { type PlanNode, type PlanSummary, summarize } from './plan-summary.ts';

/**
 * The kind of a plan. `custom`: for its values. `generic`: for any values. `kept`: for any values, made before the
 * state of the database changed, as on a long-lived connection.
 */
export type PlanMode = 'custom' | 'generic' | 'kept';

export interface RecordedPlan extends PlanSummary {
  readonly statement: string;
  readonly mode: PlanMode;
  readonly plan: PlanNode;
}

/** A named statement and the values that it was sent with. */
export interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

type Client = pg.Client & { query(config: unknown, ...rest: unknown[]): Promise<pg.QueryResult> };

/**
 * Explains every named statement that this process sends, on the connection and in the transaction that it is sent in, right
 * before it runs: with the data, the values and the locks of that moment. What explaining it changes is rolled back.
 */
export class PlanRecorder {
  readonly plans: RecordedPlan[] = [];
  /** Statements that could not be explained, with the message. */
  readonly failures: string[] = [];
  /** The statements that were sent outside of transactions, as each was sent last. */
  readonly reads = new Map<string, Query>();
  readonly #original = pg.Client.prototype.query as unknown as Client['query'];
  readonly #inTransaction = new WeakSet<Client>();
  readonly #prepared = new WeakMap<Client, Map<string, string>>();
  readonly #running = new Set<Promise<unknown>>();
  #isOn = false;

  constructor() {
    const recorder = this;
    pg.Client.prototype.query = function (this: Client, config: unknown, ...rest: unknown[]) {
      recorder.#note(this, config);
      return recorder.#original.call(this, config, ...rest);
    } as never;
  }

  /** Records what `work` sends. */
  async record(work: () => Promise<unknown>): Promise<void> {
    this.#isOn = true;
    try {
      await work();
    } finally {
      this.#isOn = false;
    }
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #note(client: Client, config: unknown): void {
    if (config === 'begin') this.#inTransaction.add(client);
    if (config === 'commit' || config === 'rollback') this.#inTransaction.delete(client);
    if (!this.#isOn || typeof config !== 'object' || config === null) return;
    const { name = '', text, values = [] } = config as Partial<Query>;
    // Statements without a name are the queue's; one without a plan cannot be explained.
    if (name === '' || text === undefined || !/^\s*(select|with|insert|update|delete)\b/i.test(text)) return;
    if (!this.#inTransaction.has(client)) this.reads.set(name, { name, text, values });
    this.#explain(client, { name, text, values });
  }

  /** Sends everything before the statement itself without waiting; a connection answers in order. */
  #explain(client: Client, { name, text, values }: Query): void {
    const how = 'explain (analyze, buffers, timing off, format json)';
    const send = (sql: string, parameters?: readonly unknown[]) =>
      this.#original.call(client, parameters === undefined ? sql : { text: sql, values: parameters });
    const quietly = (sql: string) => this.#track(send(sql).catch(() => {}));
    const isOpen = this.#inTransaction.has(client);
    const undone = (work: () => void) => {
      quietly(isOpen ? 'savepoint explained' : 'begin');
      work();
      quietly(isOpen ? 'rollback to savepoint explained' : 'rollback');
    };
    const keep = (mode: PlanMode, answer: Promise<pg.QueryResult>) =>
      this.#track(
        answer.then(
          ({ rows }) => {
            const { Plan: plan } = rows[0]['QUERY PLAN'][0] as { Plan: PlanNode };
            this.plans.push({ statement: name, mode, plan, ...summarize(plan) });
          },
          (error: Error) => void this.failures.push(`${name} (${mode}): ${error.message}`),
        ),
      );

    // Once unread: the first run on a connection also reads the catalogue of the database.
    undone(() => this.#track(send(`${how} ${text}`, values).catch(() => {})));
    undone(() => keep('custom', send(`${how} ${text}`, values)));
    const known = this.#prepared.get(client) ?? new Map<string, string>();
    this.#prepared.set(client, known);
    const execute = (alias: string) =>
      `${how} execute ${alias}${values.length === 0 ? '' : `(${values.map(literal).join(', ')})`}`;
    const generic = (mode: PlanMode, alias: string) =>
      undone(() => {
        quietly('set local plan_cache_mode = force_generic_plan');
        keep(mode, send(execute(alias)));
      });
    const kept = known.get(name);
    const alias = kept ?? `plan_${known.size}`;
    if (kept !== undefined) {
      generic('kept', alias);
      quietly(`deallocate ${alias}`);
    }
    known.set(name, alias);
    quietly(`prepare ${alias} as ${text}`);
    generic('generic', alias);
  }

  #track(promise: Promise<unknown>): void {
    this.#running.add(promise);
    void promise.finally(() => this.#running.delete(promise));
  }
}

/** A value as a literal without a type, the way the driver sends it as a parameter. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return quoted(`{${value.map(element).join(',')}}`);
  return quoted(textOf(value));
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Buffer.isBuffer(value) || value instanceof Uint8Array) {
    const bytes = Buffer.from(value);
    // Text that goes to the database as bytes (JSON, arrays) is the parameter's text form; a hash is bytea.
    const text = bytes.toString('utf8');
    return bytes.length === 32 ? `\\x${bytes.toString('hex')}` : text;
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`;
  return `"${textOf(value).replaceAll(/["\\]/g, '\\$&')}"`;
}

function quoted(text: string): string {
  return `${text.includes('\\') ? 'E' : ''}'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}
