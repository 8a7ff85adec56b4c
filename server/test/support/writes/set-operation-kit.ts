import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { requestFingerprint } from '../../../src/access/idempotency/idempotency-key.ts';
import type { SetOperation } from '../../../src/api/operation.ts';
import type { OperationRequest } from '../../../src/api/operation-request.ts';
import type { WriteOutcome } from '../../../src/api/reply.ts';
import type { Caller } from '../../../src/api/scopes.ts';
import type { SetHandling } from '../../../src/api/set-handling.ts';
import { ApiError } from '../../../src/errors/api-error.ts';
import type { WriteRequest } from '../../../src/http/writes/write-request.ts';
import { Writer } from '../../../src/http/writes/writer.ts';
import type { Transaction } from '../../../src/postgres/transaction.ts';
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

export interface SetOperationCase<Spec> {
  readonly apps: TestApps;
  readonly operation: SetOperation;
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

/** Requests of an operation with `set`, sent together and one by one. */
export class SetOperationKit<Spec> {
  readonly #case: SetOperationCase<Spec>;

  constructor(testCase: SetOperationCase<Spec>) {
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
    const retries = await this.#retries();
    const rounds = fc.array(fc.array(sent, { minLength: 1, maxLength: 16 }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(rounds, async (lists) => {
        const [together, apart] = [await this.#newWorlds(), await this.#newWorlds()];
        for (const list of lists) await this.#compareRound(list, { together, apart });
        for (const [index, world] of together.entries())
          assert.deepEqual(await world.state(), await apart[index]?.state());
        await check();
      }),
      { numRuns },
    );
    assert.equal(await this.#retries(), retries, 'a set failed, and its requests were repeated alone');
  }

  /** `interfere` makes each transaction of several requests fail after they were decided and written. */
  async assertFailureHarmsNobody(
    specs: readonly Spec[],
    interfere: (tx: Transaction) => Promise<void>,
  ): Promise<void> {
    const { operation } = this.#case;
    const set = operation.set as SetHandling<unknown, unknown, never>;
    let failures = 0;
    const failing: SetOperation = {
      ...operation,
      set: {
        ...set,
        open: async (tx, requests, options) => {
          const opened = await set.open(tx, requests, options);
          if (requests.length === 1) return opened;
          const write = async () => {
            await opened.write();
            failures += 1;
            await interfere(tx);
          };
          return { isLocked: (n) => opened.isLocked(n), decide: (n) => opened.decide(n), write };
        },
      },
    };
    const [together, apart] = [await this.#newWorlds(), await this.#newWorlds()];
    const list = specs.map((spec, n) => ({ spec, key: `key-${n}`, world: (n % 2) as 0 | 1 }));
    await this.#compareRound(list, { together, apart, operation: failing });
    assert.equal(failures, 1);
    for (const [index, world] of together.entries())
      assert.deepEqual(await world.state(), await apart[index]?.state());
    await this.#case.check();
  }

  /** Sends the requests at once to a writer as of another process, and returns the outcome of each. */
  async together(
    world: World<Spec>,
    specs: readonly Spec[],
    keys = 'key',
  ): Promise<(WriteOutcome | ApiError)[]> {
    const list = specs.map((spec, n) => ({ spec, key: `${keys}-${n}`, world: 0 as const }));
    const writer = this.#newWriter();
    return Promise.all(list.map((sent) => this.#send(writer, this.#writeOf(sent, [world, world]))));
  }

  async #newWorlds(): Promise<readonly [World<Spec>, World<Spec>]> {
    return [await this.#case.newWorld(), await this.#case.newWorld()];
  }

  #newWriter(): Writer {
    return new Writer(this.#case.apps.context, this.#case.apps.metrics);
  }

  async #retries(): Promise<number> {
    const metric = this.#case.apps.metrics.registry.getSingleMetric('brandport_transaction_retries_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    return values[0]?.value ?? 0;
  }

  async #compareRound(
    list: readonly Sent<Spec>[],
    { together, apart, operation = this.#case.operation }: Round<Spec>,
  ): Promise<void> {
    const writer = this.#newWriter();
    const writes = list.map((sent) => ({ ...this.#writeOf(sent, together), operation: operation as never }));
    const shared = await Promise.all(writes.map((write) => this.#send(writer, write)));
    for (const [index, sent] of list.entries()) {
      const mine = shared[index];
      // The first request with its key was running: the second is refused.
      const isTwin = list.findIndex(({ key, world }) => key === sent.key && world === sent.world) < index;
      if (isTwin && mine instanceof ApiError && mine.code === 'idempotency_conflict') continue;
      assert.deepEqual(this.#shown(mine), this.#shown(await this.#alone(sent, apart)));
    }
  }

  /** Runs the request alone. A backend that was terminated a moment ago may still hold its key. */
  async #alone(sent: Sent<Spec>, worlds: readonly World<Spec>[]): Promise<WriteOutcome | ApiError> {
    const write = this.#writeOf(sent, worlds);
    let result = await this.#send(this.#newWriter(), write);
    for (const end = Date.now() + 10_000; Date.now() < end; ) {
      if (!(result instanceof ApiError) || result.code !== 'idempotency_conflict') break;
      await sleep(20);
      result = await this.#send(this.#newWriter(), write);
    }
    return result;
  }

  async #send(writer: Writer, write: WriteRequest): Promise<WriteOutcome | ApiError> {
    try {
      return await writer.run(write);
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  #writeOf({ spec, key, world }: Sent<Spec>, worlds: readonly World<Spec>[]): WriteRequest {
    const { brandId, requestOf } = worlds[world] as World<Spec>;
    const { params, body } = requestOf(spec);
    const requestId = `request-${key}`;
    const caller: Caller = {
      brandId,
      keyId: 'tuk_shared',
      lineageId: 1_000_000 + brandId,
      keyName: null,
      scopes: new Set(),
      expiresAt: null,
    };
    return {
      operation: this.#case.operation as SetOperation<never>,
      brandId,
      request: { params, query: {}, body, caller, requestId } as Request,
      keyed: {
        scope: { brandId, lineageId: caller.lineageId, key },
        fingerprint: requestFingerprint('POST', JSON.stringify(params), JSON.stringify(body)),
        origin: { method: 'POST', path: '/shared', keyId: caller.keyId, requestId },
      },
    };
  }

  #shown(result: WriteOutcome | ApiError | undefined): unknown {
    if (result instanceof ApiError) return { code: result.code, ...result.toBody() };
    const { response, replayed } = result as WriteOutcome;
    const body = response.body === '' ? null : this.#case.comparable(JSON.parse(response.body));
    return { replayed, status: response.status, body };
  }
}

interface Round<Spec> {
  readonly together: readonly World<Spec>[];
  readonly apart: readonly World<Spec>[];
  readonly operation?: SetOperation;
}
