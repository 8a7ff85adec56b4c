import type pg from 'pg';
import { type BenchContext, milliseconds } from '../bench-context.ts';
import { type BenchBrand, makeBrand } from '../data/catalog-data.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare, median, millisecondsOf } from '../rounds.ts';

/** 25 x 20 values: the maximum number of variants in one request. */
const axes = { color: 25, size: 20 };

/** Generates 500 variants per request, one request after the other, each for its own product. */
export const generateVariants: Part = {
  name: 'generate',
  async run(context) {
    const { scale, client } = context;
    const brand = await makeBrand(context.service, 'Generate');
    const send = sender(context, brand);
    for (const [code, count] of Object.entries(axes))
      await send('POST', '/axes', { code, values: valuesOf(code, count).map((value) => ({ value })) });
    const model = await newParent(send);
    await send('POST', `/products/${model}/variants/generate`, {});

    const repeats = scale.name === 'full' ? 15 : 1;
    const generate = async () => {
      const parents = [];
      for (let n = 0; n < repeats; n += 1) parents.push(await newParent(send));
      return medianOf(parents, (parent) => send('POST', `/products/${parent}/variants/generate`, {}));
    };
    const insert = async () => {
      const rows = [];
      for (let n = 0; n < repeats; n += 1)
        rows.push(await copiedRows(client, brand.brandId, model, await newParent(send)));
      return medianOf(rows, (values) => insertRows(client, brand.brandId, values));
    };
    await generate();
    await insert();
    const compared = await compare(scale.rounds, generate, insert);
    await refreshCopies(client, brand.brandId);
    return [
      ratioOf(compared, {
        work: 'generation of 500 variants in one request',
        format: milliseconds,
        yardstick: (value) => `bare multi-row inserts of the same rows ${milliseconds(value)}`,
        target: { atMost: 3 },
      }),
    ];
  },
};

type Send = (method: string, path: string, body: object) => Promise<Record<string, unknown>>;

const run = Date.now().toString(36);
let requests = 0;

function sender({ service }: Pick<BenchContext, 'service'>, { headers }: BenchBrand): Send {
  return async (method, path, body) => {
    requests += 1;
    const response = await fetch(`${service.clientUrl}/v1/client/catalog${path}`, {
      method,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'idempotency-key': `generate-${run}-${requests}`,
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

function valuesOf(code: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${code}-${n}`);
}

/** Creates a product that selects all values of both axes and has no variants. */
async function newParent(send: Send): Promise<string> {
  requests += 1;
  const { tu_id: tuId } = await send('POST', '/products', { sku: `PARENT-${run}-${requests}` });
  const selection = Object.entries(axes).map(([code, count]) => ({ code, values: valuesOf(code, count) }));
  await send('PUT', `/products/${tuId}/axes`, { axes: selection });
  return tuId as string;
}

interface Rows {
  readonly productId: string;
  readonly tuIds: readonly string[];
  readonly skus: readonly string[];
  readonly combinations: readonly string[];
}

/** Copies the variants of one product to rows of another product. */
async function copiedRows(client: pg.Client, brandId: number, from: string, to: string): Promise<Rows> {
  const { rows } = await client.query<{ product_id: string; combination: string }>(
    `select t.id as product_id, v.combination
     from products f join variants v on v.brand_id = f.brand_id and v.product_id = f.id
     join products t on t.brand_id = f.brand_id and t.tu_id = $3
     where f.brand_id = $1 and f.tu_id = $2
     order by v.position`,
    [brandId, from, to],
  );
  return {
    productId: rows[0]?.product_id as string,
    tuIds: rows.map((_, n) => `${to.slice(0, 18)}${String(n).padStart(3, '0')}`),
    skus: rows.map((_, n) => `COPY-${to}-${n}`),
    combinations: rows.map(({ combination }) => combination),
  };
}

/** Runs the yardstick: the rows alone, one insert per table, in one transaction, on tables with all constraints. */
async function insertRows(client: pg.Client, brandId: number, rows: Rows): Promise<void> {
  const { productId, tuIds, skus, combinations } = rows;
  const pairs = combinations.flatMap((combination, n) =>
    combination.split(',').map((pair) => [n, ...pair.split(':')]),
  );
  await client.query('begin');
  await client.query({
    name: 'bench_insert_claims',
    text: `insert into sku_claims (brand_id, sku, kind, tu_id)
      select $1, n.sku, 'variant', n.tu_id from unnest($2::text[], $3::text[]) as n (sku, tu_id)`,
    values: [brandId, skus, tuIds],
  });
  const made = await client.query<{ id: number }>({
    name: 'bench_insert_variants',
    text: `insert into variants (brand_id, product_id, tu_id, sku, combination, position, created_at, updated_at)
      select $1, $2, n.tu_id, n.sku, n.combination, n.position - 1, now(), now()
      from unnest($3::text[], $4::text[], $5::text[]) with ordinality as n (tu_id, sku, combination, position)
      returning id`,
    values: [brandId, productId, tuIds, skus, combinations],
  });
  await client.query({
    name: 'bench_insert_values',
    text: `insert into variant_axis_values (brand_id, variant_id, axis_id, value_id)
      select $1, n.variant_id, n.axis_id, n.value_id
      from unnest($2::bigint[], $3::bigint[], $4::bigint[]) as n (variant_id, axis_id, value_id)`,
    values: [
      brandId,
      pairs.map(([n]) => made.rows[n as number]?.id),
      pairs.map(([, axisId]) => axisId),
      pairs.map(([, , valueId]) => valueId),
    ],
  });
  await client.query('commit');
}

/** Writes the variant rollups of the yardstick's products; doctor would report them otherwise. */
async function refreshCopies(client: pg.Client, brandId: number): Promise<void> {
  await client.query(
    `with made as (
       update products p
       set live_variants = t.live_variants, active_variants = t.active_variants,
         inheriting_variants = t.inheriting_variants, has_variants = true
       from product_variant_truth t
       where p.brand_id = $1 and t.brand_id = $1 and t.product_id = p.id and t.live_variants > 0 and not p.has_variants
       returning p.is_active
     )
     update brand_catalogs
     set products_with_variants = products_with_variants + (select count(*) from made),
       products_active_with_variants = products_active_with_variants
         + (select count(*) from made where is_active)
     where brand_id = $1`,
    [brandId],
  );
}

async function medianOf<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<number> {
  const times = [];
  for (const item of items) times.push(await millisecondsOf(() => work(item)));
  return median(times);
}
