import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { credentialRead } from '../../../server/src/access/authentication/find-credential.ts';
import {
  claimIdempotencyKeys,
  insertIdempotencyRecords,
} from '../../../server/src/access/idempotency/idempotency-store.ts';
import { PageAnchors } from '../../../server/src/api/page-anchors.ts';
import { pageOf } from '../../../server/src/api/pagination.ts';
import type { Caller } from '../../../server/src/api/scopes.ts';
import { runOne } from '../../../server/src/catalog/brand-set.ts';
import { openProductCreations } from '../../../server/src/catalog/products/product-creations.ts';
import { parseSort } from '../../../server/src/catalog/products/product-sort.ts';
import { productDetailRead } from '../../../server/src/catalog/products/queries/get-product-detail.ts';
import { listProductsUnless } from '../../../server/src/catalog/products/queries/product-list.ts';
import { openAdjustments } from '../../../server/src/catalog/stock/adjust-set.ts';
import {
  findProductListVersion,
  findProductVersion,
} from '../../../server/src/catalog/versions/queries/catalog-versions.ts';
import type { Database } from '../../../server/src/postgres/database.ts';
import type { Statement } from '../../../server/src/postgres/statement.ts';
import type { Transaction } from '../../../server/src/postgres/transaction.ts';
import { milliseconds } from '../bench-context.ts';
import { sampleProducts } from '../data/catalog-data.ts';
import type { Part } from '../part.ts';
import { median, millisecondsOf } from '../rounds.ts';

/**
 * Measures the most frequent statements on brand B, one at a time on an idle connection, and explains their plans. The
 * product's own functions run them in transactions that are rolled back.
 */
export const plans: Part = {
  name: 'plans',
  async run({ client, large, scale, outDir }) {
    const tuIds = await sampleProducts(client, large, 100, true);
    const tuId = tuIds[50 % tuIds.length] as string;
    const { brandId } = large;
    const { rows } = await client.query<{ variant: string; key_id: string }>(
      `select v.tu_id as variant, k.key_id
       from products p
       join variants v on v.brand_id = p.brand_id and v.product_id = p.id
       join api_keys k on k.brand_id = p.brand_id
       where p.brand_id = $1 and p.tu_id = $2 limit 1`,
      [brandId, tuId],
    );
    const { variant, key_id } = rows[0] as { variant: string; key_id: string };
    const note = recorder(client);
    const context = { database: note.tx as unknown as Database, anchors: new PageAnchors() };
    const list = (number: number) =>
      listProductsUnless(context, brandId, {
        filter: {},
        sort: parseSort(undefined),
        page: pageOf({ page: number }),
        known: null,
      });
    const deep = Math.ceil(scale.largeProducts / 100);
    const repeats = scale.name === 'full' ? 50 : 5;
    for (let n = 0; n < repeats; n += 1) {
      await client.query('begin');
      await note.tx.run(credentialRead.one(key_id));
      await note.tx.run(productDetailRead.one([brandId, tuId, null]));
      await findProductVersion(note.tx, brandId, tuId);
      for (const number of [1, 2, ...(n < 3 ? [deep] : [])]) await list(number);
      await findProductListVersion(note.tx, brandId);
      const scope = { brandId, lineageId: 0, key: `plans-${n}` };
      await claimIdempotencyKeys(note.tx, [scope], new Date(0));
      const place = { brandId, productTuId: tuId, variantTuId: variant, location: 'WH-1' };
      const from = { note: 'plans', keyId: null, requestId: null };
      const adjustment = { ...place, ...from, expectedQuantity: null, quantity: n };
      await runOne(await openAdjustments(note.tx, [adjustment], { waits: true }));
      const caller = { brandId, scopes: new Set() } as unknown as Caller;
      const creation = { brandId, caller, sku: `plans-${n}`, fields: () => ({}) };
      await runOne(await openProductCreations(note.tx, [creation], { waits: true }));
      const record = { fingerprint: Buffer.alloc(32), status: 200, headers: {}, body: '{}' };
      const origin = { method: 'POST', path: '/plans', keyId: key_id, requestId: `plans-${n}` };
      insertIdempotencyRecords(note.tx, [{ scope, record, origin }], new Date());
      await note.settled();
      await client.query('rollback');
    }
    const texts = await explainAll(client, [...note.seen.values()]);
    await writeFile(join(outDir, `${scale.name}-plans.md`), texts.join('\n\n'));
    return [...note.seen.values()].map(({ statement, times }) => ({
      work: `statement ${statement.name}`,
      measured: milliseconds(median(times)),
      yardstick: 'one at a time, with its round trip',
      ratio: median(times),
      rounds: [],
      target: null,
    }));
  },
};

interface Seen {
  readonly statement: Statement<unknown>;
  readonly times: number[];
}

/** Runs statements on the connection and records the times of each. */
function recorder(client: pg.Client) {
  const seen = new Map<string, Seen>();
  const sent: Promise<unknown>[] = [];
  const run = async <Row>(statement: Statement<Row>): Promise<Row[]> => {
    let rows: Row[] = [];
    const time = await millisecondsOf(async () => {
      rows = (await client.query({ ...statement, values: [...statement.values] })).rows;
    });
    const known = seen.get(statement.name) ?? { statement, times: [] };
    known.times.push(time);
    seen.set(statement.name, known);
    return rows;
  };
  const tx: Transaction & { query: typeof run } = {
    run,
    query: run,
    queue: (statement) => void sent.push(run(statement)),
  };
  return { tx, seen, settled: () => Promise.all(sent.splice(0)) };
}

/** Explains the statements in their order and in one transaction, because some need the rows of those before. */
async function explainAll(client: pg.Client, all: readonly Seen[]): Promise<string[]> {
  const texts: string[] = [];
  await client.query('begin');
  for (const { statement, times } of all) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `explain (analyze, buffers, costs off) ${statement.text}`,
      values: [...statement.values],
    });
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    texts.push(`## ${statement.name}\n\nMedian ${milliseconds(median(times))}.\n\n\`\`\`\n${plan}\n\`\`\``);
  }
  await client.query('rollback');
  return texts;
}
