import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { requestFingerprint } from '../../../src/access/idempotency/idempotency-key.ts';
import { type IdempotentOutcome, runIdempotent } from '../../../src/access/idempotency/run-idempotent.ts';
import type { OperationRequest, WriteOperation } from '../../../src/api/operation.ts';
import type { Caller } from '../../../src/api/scopes.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import { settle } from '../../../src/http/execute-operation.ts';
import {
  type OperationSharing,
  type SharedWrite,
  shareOperation,
} from '../../../src/http/shared-writes/share-operation.ts';
import type { CatalogTransaction, Transaction } from '../../../src/postgres/transaction.ts';
import type { TestApps } from '../test-apps.ts';

type Request = OperationRequest<never, never, never>;

/** A brand with the things that requests of the operation are about. Two worlds that were made alike behave alike. */
export interface World<Spec> {
  readonly brandId: number;
  /** The request of a specification, which names the world's things by position. */
  requestOf(spec: Spec): { readonly params: object; readonly body: object };
  /** The state of the brand without ids and times, which differ between two worlds. */
  state(): Promise<unknown>;
}

export interface SharedOperationCase<Spec> {
  readonly apps: TestApps;
  readonly operation: WriteOperation;
  readonly newWorld: () => Promise<World<Spec>>;
  readonly spec: fc.Arbitrary<Spec>;
  /** The parts of a response body that are the same in two worlds. */
  readonly comparable: (body: Record<string, unknown>) => unknown;
  /** Checks what is derived in the whole database. */
  readonly check: () => Promise<void>;
  readonly numRuns?: number;
}

/** A request, its key and its world: several with one key are retries, or reuses of it. */
interface Sent<Spec> {
  readonly spec: Spec;
  readonly key: string;
  readonly world: 0 | 1;
}

/** Requests of any operation that can share a transaction, sent together and one by one. */
export class SharedOperationKit<Spec> {
  readonly #case: SharedOperationCase<Spec>;

  constructor(testCase: SharedOperationCase<Spec>) {
    this.#case = testCase;
  }

  /** Random mixes over two brands, with retries of earlier requests and keys that are sent twice at once. */
  async assertTogetherIsApart(): Promise<void> {
    const { spec, check, numRuns = 20 } = this.#case;
    const sent: fc.Arbitrary<Sent<Spec>> = fc.record({
      spec,
      key: fc.integer({ min: 0, max: 30 }).map((n) => `key-${n}`),
      world: fc.constantFrom(0 as const, 1 as const),
    });
    const rounds = fc.array(fc.array(sent, { minLength: 1, maxLength: 16 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (lists) => {
        const [together, apart] = [await this.#newWorlds(), await this.#newWorlds()];
        for (const list of lists) await this.#compareRound(list, together, apart);
        for (const [index, world] of together.entries())
          assert.deepEqual(await world.state(), await apart[index]?.state());
        await check();
      }),
      { numRuns },
    );
  }

  /** `interfere` makes the shared transaction fail after the requests were decided and written. */
  async assertFailureHarmsNobody(
    specs: readonly Spec[],
    interfere: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { operation } = this.#case;
    const { shared } = operation;
    assert.ok(shared !== undefined);
    const failing: WriteOperation = {
      ...operation,
      shared: {
        ...shared,
        handle: async (tx, requests, context) => {
          const results = await shared.handle(tx, requests, context);
          await interfere(tx);
          return results;
        },
      },
    };
    const [together, apart] = [await this.#newWorlds(), await this.#newWorlds()];
    const list = specs.map((spec, n) => ({ spec, key: `key-${n}`, world: (n % 2) as 0 | 1 }));
    const before = await Promise.all(together.map((world) => world.state()));
    const sharing = this.#sharing(failing);
    const results = await Promise.all(list.map((sent) => this.#share(sharing, sent, together)));
    assert.deepEqual([...new Set(results)], ['alone']);
    assert.deepEqual(await Promise.all(together.map((world) => world.state())), before);
    await this.#compareRound(list, together, apart, sharing);
    for (const [index, world] of together.entries())
      assert.deepEqual(await world.state(), await apart[index]?.state());
    await this.#case.check();
  }

  /**
   * Runs the requests in one shared transaction, as a process of its own, and returns the outcome of each. Their keys begin
   * with `keys`.
   */
  async together(
    world: World<Spec>,
    specs: readonly Spec[],
    keys = 'key',
  ): Promise<(IdempotentOutcome | ApiError | 'alone')[]> {
    const sharing = this.#sharing(this.#case.operation);
    const list = specs.map((spec, n) => ({ spec, key: `${keys}-${n}`, world: 0 as const }));
    return Promise.all(list.map((sent) => this.#share(sharing, sent, [world, world])));
  }

  async #newWorlds(): Promise<readonly [World<Spec>, World<Spec>]> {
    return [await this.#case.newWorld(), await this.#case.newWorld()];
  }

  #sharing(operation: WriteOperation): OperationSharing {
    const { context, metrics } = this.#case.apps;
    return shareOperation(operation, context, metrics) as OperationSharing;
  }

  async #compareRound(
    list: readonly Sent<Spec>[],
    together: readonly World<Spec>[],
    apart: readonly World<Spec>[],
    sharing = this.#sharing(this.#case.operation),
  ): Promise<void> {
    const shared = await Promise.all(list.map((sent) => this.#share(sharing, sent, together)));
    for (const [index, sent] of list.entries()) {
      const mine = shared[index];
      // The first request with its key was under way in the same transaction: the second is not run at all.
      const isTwin = list.findIndex(({ key, world }) => key === sent.key && world === sent.world) < index;
      if (isTwin && mine instanceof ApiError && mine.code === 'idempotency_conflict') continue;
      const here = mine === 'alone' ? await this.#alone(sent, together) : mine;
      assert.deepEqual(this.#shown(here), this.#shown(await this.#alone(sent, apart)));
    }
  }

  #share(sharing: OperationSharing, sent: Sent<Spec>, worlds: readonly World<Spec>[]) {
    const write = this.#writeOf(sent, worlds);
    return sharing.run({ brandId: write.keyed.scope.brandId, value: write });
  }

  /**
   * Runs the request in a transaction of its own, as the server does. No other request has its key, but a backend that
   * was terminated a moment ago may still hold the lock.
   */
  async #alone(sent: Sent<Spec>, worlds: readonly World<Spec>[]): Promise<IdempotentOutcome | ApiError> {
    let result = await this.#tryAlone(sent, worlds);
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      if (!(result instanceof ApiError) || result.code !== 'idempotency_conflict') break;
      await sleep(20);
      result = await this.#tryAlone(sent, worlds);
    }
    return result;
  }

  async #tryAlone(sent: Sent<Spec>, worlds: readonly World<Spec>[]): Promise<IdempotentOutcome | ApiError> {
    const { operation, apps } = this.#case;
    const { request, keyed } = this.#writeOf(sent, worlds);
    const work = (tx: Transaction) =>
      runIdempotent(tx, apps.clock, keyed, async () =>
        settle(await operation.handle(tx, request, apps.context)),
      );
    try {
      if (operation.locksCatalog !== true) return await apps.database.transaction(work);
      const locking = (tx: CatalogTransaction) => work(tx);
      return await apps.database.catalogTransaction(keyed.scope.brandId, locking);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  #writeOf({ spec, key, world }: Sent<Spec>, worlds: readonly World<Spec>[]): SharedWrite {
    const { brandId, requestOf } = worlds[world] as World<Spec>;
    const { params, body } = requestOf(spec);
    const requestId = `request-${key}`;
    const caller: Caller = {
      ...{ brandId, keyId: 'tuk_shared', lineageId: 1_000_000 + brandId, keyName: null },
      ...{ scopes: new Set(), expiresAt: null },
    };
    return {
      request: { params, query: {}, body, caller, requestId } as Request,
      keyed: {
        scope: { brandId, lineageId: caller.lineageId, key },
        fingerprint: requestFingerprint('POST', JSON.stringify(params), JSON.stringify(body)),
        origin: { method: 'POST', path: '/shared', keyId: caller.keyId, requestId },
      },
    };
  }

  #shown(result: IdempotentOutcome | ApiError | undefined): unknown {
    if (result instanceof ApiError) return { code: result.code, ...result.toBody() };
    const { response, replayed } = result as IdempotentOutcome;
    return { replayed, status: response.status, body: this.#case.comparable(JSON.parse(response.body)) };
  }
}
