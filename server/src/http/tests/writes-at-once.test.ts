// processes, alone: random mixes of all writes, sent at once and one by one
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { assertDoctorFindsNothing } from '../../../test/catalog-model/assert-doctor-finds-nothing.ts';
import { type ApiClient, type ApiResponse, createApiClient } from '../../../test/support/api-client.ts';
import { validateAgainstDocument } from '../../../test/support/document-validation.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { assertStockTrue } from '../../catalog/stock/tests/stock.ts';
import { assertRollupsTrue } from '../../catalog/tests/new-axes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Transaction } from '../../postgres/transaction.ts';
import { createClientApp } from '../client-app.ts';
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
/** A second client app on the same database, whose requests have other lines and turns: as of another process. */
const otherApp = createClientApp({ ...apps.services, additions: {} });
await otherApp.ready();
apps.beforeClose(() => otherApp.close());

interface Arrival {
  readonly id: string;
  readonly lock: string;
  readonly subject: string | null;
}

interface Asked {
  readonly requestId: string;
}

/**
 * The requests (by X-Request-Id) that arrived, and those that were handled, in the order of the server, in which they had their
 * effects. A handler has all locks of its request when it ends. A transaction that failed is run again, so the last time counts.
 */
const arrivals: Arrival[] = [];
const handled = new Set<string>();
/** Called in the transaction of a request that was handled. */
let interfere: (tx: Transaction) => Promise<void> = async () => {};

for (const operation of clientDomains.flatMap(({ operations }) => operations)) {
  if (operation.kind !== 'client-write') continue;
  const { handle, subject, lock } = operation;
  Object.assign(operation, {
    subject: (asked: Asked) => {
      const given = subject?.(asked) ?? null;
      arrivals.push({ id: asked.requestId, lock: lock.name, subject: given });
      return given;
    },
    handle: async (held: { readonly tx: Transaction }, asked: Asked, context: never, read: unknown) => {
      const result = await handle(held, asked, context, read).catch((error: unknown) => {
        if (error instanceof ApiError) return error;
        throw error;
      });
      handled.delete(asked.requestId);
      handled.add(asked.requestId);
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

const brandCount = 3;

/** Requests of several brands that are sent at once to two processes. `fault`: what happens after so many were handled. */
const round = fc.record({
  list: fc.oneof(
    ...[request, sharingRequest].map((each) => {
      const place = { brand: fc.nat(brandCount - 1), process: fc.nat(1) };
      const sent = fc.record({ request: each, retryOf: fc.nat(200), ...place });
      return fc.array(sent, { minLength: 10, maxLength: 40 });
    }),
  ),
  fault: fc.option(fc.record({ after: fc.nat(6), name: fc.constantFrom(...Object.keys(faults)) }), {
    freq: 2,
  }),
});

let sent = 0;

async function send(
  world: World,
  { key, of }: Request,
  id: string,
  client: ApiClient = world.client,
): Promise<ApiResponse> {
  sent += 1;
  const asked = of(world);
  const headers = { 'idempotency-key': isDryRun(asked) ? `plan-${sent}` : key, 'x-request-id': id };
  const { method, path, ...body } = asked;
  return client.request(method, `/catalog${path}`, { headers, ...body });
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
 * Requests of a brand, process and lock with the same subject, or of which one has none, were handled in the order of their
 * arrival.
 */
function assertOrderOfArrival(all: readonly Answered[]): void {
  const places = new Map([...handled].map((id, place) => [id, place]));
  const ids = new Set(all.map(({ id }) => id));
  const own = arrivals.filter(({ id }) => ids.has(id));
  for (const [n, late] of own.entries())
    for (const early of own.slice(0, n)) {
      const [first, second] = [places.get(early.id), places.get(late.id)];
      if (early.lock !== late.lock || first === undefined || second === undefined || first < second) continue;
      const subjects = new Set([early.subject, late.subject]);
      assert.ok(subjects.size === 2 && !subjects.has(null), `${JSON.stringify([early, late])}: overtaken`);
    }
}

/** A client of the brand in each process. */
function clientsOf({ client, apiKey }: World): ApiClient[] {
  const other = createApiClient(otherApp, {
    prefix: '/v1/client',
    token: apiKey,
    check: validateAgainstDocument,
  });
  return [client, other];
}

it('writes of brands that are sent at once end as they do one by one, and harm nobody if their transaction fails', async () => {
  const deadlocks = await countDeadlocks();
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 3 }), async (rounds) => {
      const newWorlds = () => Promise.all(Array.from({ length: brandCount }, () => newWorld(apps)));
      const [worlds, twins] = [await newWorlds(), await newWorlds()];
      const clients = worlds.map(clientsOf);
      const before: Request[][] = worlds.map(() => []);
      for (const { list, fault } of rounds) {
        arrivals.length = 0;
        handled.clear();
        let countdown = fault?.after ?? Number.POSITIVE_INFINITY;
        interfere = async (tx) => {
          countdown -= 1;
          if (countdown === -1) await faults[fault?.name as string]?.(tx);
        };
        const answers = list.map(async ({ request: given, retryOf, brand, process }, n) => {
          const id = `request-${brand}-${process}-${n}`;
          const ofBrand = before[brand] as Request[];
          const asked = ofBrand[retryOf] ?? given;
          ofBrand.push(asked);
          const client = clients[brand]?.[process] as ApiClient;
          const answer = await send(worlds[brand] as World, asked, id, client);
          return { brand, process, request: asked, id, answer };
        });
        const all = await Promise.all(answers);
        interfere = async () => {};
        // Those that only a transaction that failed has handled.
        for (const { id, answer } of all) if (isByKey(answer)) handled.delete(id);
        for (const [brand, world] of worlds.entries()) {
          const twin = twins[brand] as World;
          const own = all.filter((each) => each.brand === brand);
          const order = [...handled];
          for (const process of [0, 1]) assertOrderOfArrival(own.filter((each) => each.process === process));
          await compare(own, twin, order);
          assert.deepEqual(await stateOf(apps, world), await stateOf(apps, twin));
        }
      }
      await assertStockTrue(apps);
      await assertRollupsTrue(apps);
      await assertDoctorFindsNothing(apps.address);
    }),
    // Shrinking takes minutes, and the failing run is short.
    { numRuns: 12, endOnFailure: true },
  );
  assert.equal(await countDeadlocks(), deadlocks);
});

async function countDeadlocks(): Promise<number> {
  const text = 'select deadlocks from pg_stat_database where datname = current_database()';
  return (await apps.sql<{ deadlocks: number }>(text))[0]?.deadlocks ?? Number.NaN;
}
