import type { TestDatabase } from '../../../test/support/test-database.ts';
import type { BrandLock } from '../../api/brand-lock.ts';
import type { Reply, WriteOutcome } from '../../api/reply.ts';
import { ApiError } from '../../errors/api-error.ts';
import { sha256 } from '../../lib/secrets.ts';
import { statement } from '../../postgres/statement.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import type { WriteRunner } from '../run-writes.ts';
import type { BrandWrite } from '../write-turn.ts';

export const terminate = statement<never>('test_terminate', 'select pg_terminate_backend(pg_backend_pid())');
export const breakConstraint = statement<never>(
  'test_break_constraint',
  `insert into sku_claims (brand_id, sku, kind, tu_id) values (-1, 'A', 'product', 'a')`,
);

export interface Held {
  readonly tx: Transaction;
  readonly queue: Queue;
  /** The requests that the transaction handles for the brand. */
  readonly turn: string[];
}

export interface Sent {
  /** Default: the request has no subject. */
  readonly subject?: string;
  readonly key?: string;
  /** Default: the name of the request. */
  readonly body?: string;
  readonly gone?: AbortSignal;
  readonly handle?: (tx: Transaction) => Promise<unknown>;
}

let brands = 1_000_000;
const queuesOf = new Map<string, Queue>();
/** The transactions that have taken a lock, in their order. */
export const begun: Transaction[] = [];

/** A lock of brands without rows, which another transaction may hold. */
function lockNamed(name: string): BrandLock<Held> {
  const queueOf = (brandId: number) => queuesOf.get(`${name} ${brandId}`) as Queue;
  return {
    name,
    take: async (tx, brandId) => {
      const queue = queueOf(brandId);
      await queue.isFree;
      return queue.begin(tx);
    },
    takeFree: async (tx, brandIds) => {
      const free = brandIds.map(queueOf).filter(({ isFree }) => isFree === null);
      return new Map(free.map((queue) => [queue.brandId, queue.begin(tx)]));
    },
    finish: (locks) => {
      for (const held of locks) held.queue.finish(held);
    },
  };
}

const locks = { catalog: lockNamed('catalog'), stock: lockNamed('stock') };

export interface QueueOptions {
  readonly writes: WriteRunner;
  /** Default: a separate brand. */
  readonly brandId?: number;
  readonly name?: keyof typeof locks;
  /** Called at the end of each turn. */
  readonly finish?: (held: Held) => void;
}

/** Requests of a separate brand, and the turns that they have had. */
export class Queue {
  readonly brandId: number;
  /** The requests that were handled in each transaction. */
  readonly turns: string[][] = [];
  readonly transactions: Transaction[] = [];
  readonly finish: (held: Held) => void;
  /** Resolves when the lock is free; null: it is. */
  isFree: Promise<void> | null = null;
  readonly #runner: WriteRunner;
  readonly #name: keyof typeof locks;

  constructor({ writes, brandId = ++brands, name = 'catalog', finish = () => {} }: QueueOptions) {
    this.brandId = brandId;
    this.finish = finish;
    this.#runner = writes;
    this.#name = name;
    queuesOf.set(`${name} ${brandId}`, this);
  }

  begin(tx: Transaction): Held {
    const turn: string[] = [];
    this.turns.push(turn);
    this.transactions.push(tx);
    if (!begun.includes(tx)) begun.push(tx);
    return { tx, queue: this, turn };
  }

  writeOf(name: string, { subject, key, body = name, gone, handle = async () => {} }: Sent = {}): BrandWrite {
    const { brandId } = this;
    const origin = { method: 'POST', path: '/', keyId: null, requestId: name };
    const fingerprint = sha256(body);
    return {
      operationId: 'test',
      brandId,
      subject: subject ?? null,
      keyed: key === undefined ? null : { scope: { brandId, lineageId: brandId, key }, fingerprint, origin },
      lock: locks[this.#name],
      ...(gone !== undefined && { gone: () => gone }),
      handle: async ({ tx, turn }: Held): Promise<Reply> => {
        turn.push(name);
        await handle(tx);
        return { status: 200, body: { name } };
      },
    };
  }

  run(name: string, sent?: Sent): Promise<WriteOutcome> {
    return this.#runner.run(this.writeOf(name, sent));
  }

  /** Sends a request without a subject, whose transaction takes until the returned function is called. */
  hold(): () => Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = this.run('first', { handle: () => promise });
    return async () => {
      resolve();
      await first;
    };
  }

  /** Sends the requests, by name, while a turn of the queue is running, and returns the turns that they get. */
  async behindAnother(sent: Readonly<Record<string, Sent>>): Promise<string[][]> {
    const release = this.hold();
    const all = Object.entries(sent).map(([name, each]) => this.run(name, each));
    await Promise.all([...all, release()]);
    return this.turns.slice(1);
  }
}

export const byName = ({ response }: WriteOutcome): string => JSON.parse(response.body).name;

export async function recordedKeys(
  { sql }: Pick<TestDatabase, 'sql'>,
  { brandId }: Queue,
): Promise<string[]> {
  const text = 'select idempotency_key as key from idempotency_records where brand_id = $1 order by 1';
  return (await sql<{ key: string }>(text, [brandId])).map(({ key }) => key);
}

/** A refusal of the request, or another failure. */
export function outcomeOf(settled: PromiseSettledResult<WriteOutcome>): string {
  if (settled.status === 'fulfilled') return settled.value.replayed ? 'replayed' : byName(settled.value);
  return settled.reason instanceof ApiError ? settled.reason.code : 'failed';
}
