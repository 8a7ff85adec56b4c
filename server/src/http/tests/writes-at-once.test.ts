// processes, alone: random mixes of all writes, sent at once and one by one
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { assertDoctorFindsNothing } from '../../../test/catalog-model/assert-doctor-finds-nothing.ts';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { assertStockTrue } from '../../catalog/stock/tests/stock.ts';
import { assertRollupsTrue } from '../../catalog/tests/new-axes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { clientDomains } from '../operations.ts';
import {
  isDryRun,
  newWorld,
  type Request,
  request,
  sharingRequest,
  stateOf,
  type World,
} from './write-world.ts';

const apps = await createTestApps();

interface Arrival {
  readonly id: string;
  readonly line: string;
  readonly subject: string | null;
}

interface Handled {
  /** The lock, of which a transaction has one. */
  readonly turn: object;
  readonly isRefused: boolean;
}

interface Asked {
  readonly requestId: string;
}

/**
 * The requests (by X-Request-Id) that arrived, and those that were handled, in the order of the server. A handler has all
 * locks of its request when it ends. A transaction that failed is run again, so the last time counts.
 */
const arrivals: Arrival[] = [];
const handled = new Map<string, Handled>();
/** Called in the transaction of a request that was handled. */
let interfere: (tx: Transaction) => Promise<void> = async () => {};

for (const operation of clientDomains.flatMap(({ operations }) => operations)) {
  if (operation.kind !== 'client-write') continue;
  const { handle, subject, lock } = operation;
  Object.assign(operation, {
    subject: (asked: Asked) => {
      const given = subject?.(asked) ?? null;
      arrivals.push({ id: asked.requestId, line: lock.name, subject: given });
      return given;
    },
    handle: async (held: { readonly tx: Transaction }, asked: Asked, context: never, read: unknown) => {
      const result = await handle(held, asked, context, read).catch((error: unknown) => {
        if (error instanceof ApiError) return error;
        throw error;
      });
      handled.delete(asked.requestId);
      handled.set(asked.requestId, { turn: held, isRefused: result instanceof ApiError });
      await interfere(held.tx);
      if (result instanceof ApiError) throw result;
      return result;
    },
  });
}

const faults: Readonly<Record<string, (tx: Transaction) => Promise<void>>> = {
  'the connection is lost': async (tx) => {
    await tx.run({
      name: 'test_terminate_backend',
      text: 'select pg_terminate_backend(pg_backend_pid())',
      values: [],
    });
  },
  'a constraint is broken': async (tx) => {
    const text = 'insert into brand_stocks select * from brand_stocks';
    await tx.run({ name: 'test_break_constraint', text, values: [] });
  },
};

/** Requests that are sent at once. `fault`: what happens after so many of them were handled. */
const round = fc.record({
  list: fc.oneof(
    ...[request, sharingRequest].map((each) => {
      return fc.array(fc.record({ request: each, retryOf: fc.nat(200) }), { minLength: 6, maxLength: 20 });
    }),
  ),
  fault: fc.option(fc.record({ after: fc.nat(6), name: fc.constantFrom(...Object.keys(faults)) }), {
    freq: 2,
  }),
});

let sent = 0;

async function send(world: World, { key, of }: Request, id: string): Promise<ApiResponse> {
  sent += 1;
  const asked = of(world);
  const headers = { 'idempotency-key': isDryRun(asked) ? `plan-${sent}` : key, 'x-request-id': id };
  const { method, path, ...body } = asked;
  return world.client.request(method, `/catalog${path}`, { headers, ...body });
}

const differing = [
  'id',
  'tu_id',
  'brand_id',
  'product_tu_id',
  'variant_tu_id',
  'created_at',
  'updated_at',
  'source_updated_at',
  'note',
];
/** The fields of a catalog write that show the stock, whose lock it does not hold. */
const stockFigures = ['availability', 'stock_summary'];

/** Returns whether the Idempotency-Key alone decided the response. */
function isByKey({ headers, json }: ApiResponse): boolean {
  return headers['idempotency-replayed'] === 'true' || `${json?.code}`.startsWith('idempotency_');
}

interface Answered {
  readonly request: Request;
  readonly id: string;
  readonly answer: ApiResponse;
}

/** Sends the requests to the other world one by one, in the order in which the server has handled them. */
async function compare(all: readonly Answered[], twin: World, order: readonly string[]): Promise<void> {
  const isStockWritten = all.some(({ request: { operation } }) => /Stock/.test(operation));
  const shown = ({ status, headers, text }: ApiResponse) => {
    const isReplay = headers['idempotency-replayed'] === 'true';
    const hidden = [...differing, ...(isReplay || isStockWritten ? stockFigures : [])];
    const body = JSON.parse(text === '' ? 'null' : text, (name, value) =>
      hidden.includes(name) ? undefined : value,
    );
    return { status, isReplay, body };
  };
  const isPlan = ({ request: { of } }: Answered) => isDryRun(of(twin));
  const plans = new Set(all.filter(isPlan));
  // A dry run takes no lock: it shows the state before any of the other requests, or after the last.
  const comparePlans = async (isLast: boolean) => {
    for (const plan of plans) {
      const [mine, other] = [shown(plan.answer), shown(await send(twin, plan.request, 'plan'))];
      if (isDeepStrictEqual(mine, other)) plans.delete(plan);
      else if (isLast) assert.deepEqual(mine, other);
    }
  };
  const placeOf = ({ id }: Answered) => (order.includes(id) ? order.indexOf(id) : order.length);
  const inOrder = all.filter((each) => !isPlan(each)).sort((a, b) => placeOf(a) - placeOf(b));
  for (const each of inOrder) {
    await comparePlans(false);
    const { answer, request: asked, id } = each;
    const isTwin = all.some((other) => other !== each && other.request.key === asked.key);
    // Another request with its key was running.
    if (isTwin && answer.json?.code === 'idempotency_conflict') continue;
    assert.deepEqual(shown(answer), shown(await send(twin, asked, id)), `${asked.operation} ${id}`);
  }
  await comparePlans(true);
}

/**
 * Returns the requests that were handled in an order that explains their outcomes: those of a turn read before any of them
 * writes, so its refusals come first.
 */
function serialOrder(): string[] {
  const turns = Map.groupBy(handled, ([, { turn }]) => turn);
  return [...turns.values()].flatMap((members) => {
    const of = (refused: boolean) => members.filter(([, { isRefused }]) => isRefused === refused);
    return [...of(true), ...of(false)].map(([id]) => id);
  });
}

/** Requests of a line with the same subject, or of which one has none, were handled in the order of their arrival. */
function assertOrderOfArrival(): void {
  const places = new Map([...handled.keys()].map((id, place) => [id, place]));
  for (const [n, late] of arrivals.entries())
    for (const early of arrivals.slice(0, n)) {
      const [first, second] = [places.get(early.id), places.get(late.id)];
      if (early.line !== late.line || first === undefined || second === undefined || first < second) continue;
      const subjects = new Set([early.subject, late.subject]);
      assert.ok(subjects.size === 2 && !subjects.has(null), `${JSON.stringify([early, late])}: overtaken`);
    }
}

it('writes that are sent at once end as they do one by one, and harm nobody if their transaction fails', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
      const [world, twin] = [await newWorld(apps), await newWorld(apps)];
      const before: Request[] = [];
      for (const { list, fault } of rounds) {
        const requests = list.map(({ request: given, retryOf }) => before[retryOf] ?? given);
        before.push(...requests);
        arrivals.length = 0;
        handled.clear();
        let countdown = fault?.after ?? Number.POSITIVE_INFINITY;
        interfere = async (tx) => {
          countdown -= 1;
          if (countdown === -1) await faults[fault?.name as string]?.(tx);
        };
        const answers = requests.map(async (asked, n) => {
          const id = `request-${n}`;
          return { request: asked, id, answer: await send(world, asked, id) };
        });
        const all = await Promise.all(answers);
        interfere = async () => {};
        // Those that only a transaction that failed has handled.
        for (const { id, answer } of all) if (isByKey(answer)) handled.delete(id);
        assertOrderOfArrival();
        await compare(all, twin, serialOrder());
        assert.deepEqual(await stateOf(apps, world), await stateOf(apps, twin));
      }
      await assertStockTrue(apps);
      await assertRollupsTrue(apps);
      await assertDoctorFindsNothing(apps.address);
    }),
    // Shrinking takes minutes, and the failing run is short.
    { numRuns: 20, endOnFailure: true },
  );
});
