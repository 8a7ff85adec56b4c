import { type Static, Type } from 'typebox';
import { isKeyId } from '../access/api-keys/api-key.ts';
import type { BrandReach } from '../api/access.ts';
import { exampleIds, NamedObject, Nullable } from '../api/field-schemas.ts';
import { type Operation, readOperation } from '../api/operation.ts';
import { queueNames } from '../jobs/job.ts';
import { foldedSql } from '../postgres/conditions.ts';
import type { Queryable } from '../postgres/database.ts';
import { statement } from '../postgres/statement.ts';
import { findSimilarBrands } from './similar-brands-store.ts';

const findingKinds = [
  'request',
  'feed',
  'job',
  'key',
  'product',
  'learner',
  'administrator',
  'brand',
] as const;

interface Finding {
  readonly kind: (typeof findingKinds)[number];
  /** The id by which the internal surface knows it. */
  readonly id: string;
  /** A name for people: of a feed the batch id, of a job the queue, of a request the kind of what it left. */
  readonly title: string;
  readonly brandId: number | null;
  readonly brandName: string | null;
}

/** `$1`: what is looked for, `$2`: the brands in reach, null: all. */
interface Search {
  /** The name of its statement. */
  readonly name: string;
  readonly kind: Finding['kind'];
  /** Selects id, title and brand_id. */
  readonly sql: string;
  /** False: nothing can have this id or name. */
  readonly isPossible?: (wanted: string) => boolean;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ofBrand = (column: string) => `($2::integer[] is null or ${column} = any($2::integer[]))`;
/** Rows of each search at most. */
const mostOfSearch = 10;

/** Looks up an exact id in each brand by its index ("offset 0"), also without statistics: 50 to 100 ms for 10,000 brands. */
const inEachBrand = (sql: string) =>
  `select f.* from brands b cross join lateral (${sql} offset 0) as f where ${ofBrand('b.id')}`;

const exactSearches: readonly Search[] = [
  {
    name: 'search_requests',
    kind: 'request',
    sql: `select $1::text as id, min(t.title) as title,
        case when count(distinct t.brand_id) = 1 then min(t.brand_id) end as brand_id from (
        select r.brand_id, r.method || ' ' || r.path || ' ' || r.status as title from refusals r where r.request_id = $1
        union all select m.brand_id, 'stock movement' from stock_movements m where m.request_id = $1
        union all select s.brand_id, 'stock feed' from stock_feeds s where s.request_id = $1
        union all select nullif(i.brand_id, 0), i.method || ' ' || i.path from idempotency_records i where i.request_id = $1
        union all select a.brand_id, a.action from audit_entries a where a.request_id = $1
      ) as t where ${ofBrand('t.brand_id')} having count(*) > 0`,
  },
  {
    name: 'search_feeds',
    kind: 'feed',
    sql: inEachBrand(`select s.tu_id as id, s.batch_id as title, s.brand_id from stock_feeds s
      where s.brand_id = b.id and s.batch_id = $1
      union all select s.tu_id, s.batch_id, s.brand_id from stock_feeds s
      where s.brand_id = b.id and s.tu_id = $1 and s.batch_id <> $1`),
  },
  {
    name: 'search_jobs',
    kind: 'job',
    sql: `select j.id::text, j.name as title, (j.data ->> 'brand_id')::integer as brand_id from pgboss.job j
      where j.name = any('{${queueNames.join(',')}}'::text[]) and j.id = $1::uuid
        and ${ofBrand(`(j.data ->> 'brand_id')::integer`)}`,
    isPossible: (wanted) => uuid.test(wanted),
  },
  {
    name: 'search_keys_by_id',
    kind: 'key',
    sql: `select k.key_id as id, k.name as title, k.brand_id from api_keys k where k.key_id = $1 and ${ofBrand('k.brand_id')}`,
    isPossible: isKeyId,
  },
  {
    name: 'search_products',
    kind: 'product',
    sql: inEachBrand(`select p.tu_id as id, p.title, p.brand_id from products p
      where p.brand_id = b.id and p.tu_id = $1
      union all select p.tu_id, p.title, p.brand_id from products p where p.brand_id = b.id and p.sku = $1
      union all select p.tu_id, p.title, p.brand_id from variants v
      join products p on p.brand_id = v.brand_id and p.id = v.product_id where v.brand_id = b.id and v.sku = $1`),
  },
  {
    name: 'search_learners',
    kind: 'learner',
    sql: inEachBrand(`select l.tu_id as id, l.tu_id as title, l.brand_id from learners l
      where l.brand_id = b.id and l.tu_id = $1`),
  },
];

const contains = (column: string) => `strpos(${foldedSql(column)}, ${foldedSql('$1::text')}) > 0`;

const namedSearches: readonly Search[] = [
  {
    name: 'search_brands',
    kind: 'brand',
    sql: `select b.id::text, b.name as title, b.id as brand_id from brands b
      where (b.id::text = $1 or ${contains('b.name')}) and ${ofBrand('b.id')} order by b.id::text <> $1, b.id`,
  },
  {
    name: 'search_keys_by_name',
    kind: 'key',
    sql: `select k.key_id as id, k.name as title, k.brand_id from api_keys k
      where k.key_id <> $1 and (${contains('k.name')} or starts_with(k.key_id, $1)) and ${ofBrand('k.brand_id')}
      order by k.revoked_at is not null, k.id desc`,
  },
];

const administratorSearch: Search = {
  name: 'search_administrators',
  kind: 'administrator',
  sql: `select a.token_id as id, a.name as title, null::integer as brand_id from administrators a
    where (a.token_id = $1 or ${contains('a.name')}) and $2::integer[] is null order by a.token_id <> $1, a.id desc`,
};

/**
 * Finds what has an id, then what has a name that contains it; each search is a statement, at most 10 rows of each. Names of
 * brands, keys and administrators are read whole.
 */
async function findAnything(
  database: Queryable,
  wanted: string,
  { brandIds, isAdministrator }: { readonly brandIds: BrandReach; readonly isAdministrator: boolean },
): Promise<Finding[]> {
  const searches = [...exactSearches, ...namedSearches, ...(isAdministrator ? [administratorSearch] : [])];
  const found = await Promise.all(
    searches.map(async ({ name, kind, sql, isPossible }) => {
      if (isPossible?.(wanted) === false) return [];
      const rows = await database.run(
        statement<Omit<Finding, 'kind'>>(
          name,
          `select f.id, f.title, f.brand_id as "brandId",
             (select b.name from brands b where b.id = f.brand_id) as "brandName"
           from (${sql}) as f limit ${mostOfSearch}`,
          [wanted, brandIds],
          { long: true },
        ),
      );
      return rows.map((row): Finding => ({ kind, ...row }));
    }),
  );
  return found.flat();
}

const mostFindings = 20;

const FindingWire = Type.Object({
  kind: Type.String({ enum: [...findingKinds] }),
  id: Type.String({ description: 'The id of what was found, as the operations of its kind take it.' }),
  title: Type.String({
    description:
      'A name to show: of a feed its batch id, of a job its queue, of a request its method and path or the kind of what it wrote.',
  }),
  brand_id: Nullable(Type.Integer(), { description: 'null: of no brand.' }),
  brand_name: Nullable(Type.String()),
});

const FindingListWire = NamedObject('Findings', {
  data: Type.Array(FindingWire),
  similar: Type.Array(FindingWire, {
    description:
      'If nothing was found: at most three brands with a name, or a part of one, that is nearly what was looked for, the likeliest first.',
  }),
});

const example: Static<typeof FindingListWire> = {
  data: [
    {
      kind: 'feed',
      id: exampleIds.feed,
      title: 'stock-2026-03-01',
      brand_id: 1,
      brand_name: 'Maison Aurore',
    },
  ],
  similar: [],
};

/** [internal-202] */
const searchOperation = readOperation({
  id: 'search',
  method: 'GET',
  path: '/search',
  tag: 'Overview',
  summary: 'Find anything by its id or name',
  description: `Lists at most ${mostFindings} things that the caller may see: first what has exactly this id (request, feed by id or batch id, job, key,
product by id or SKU, learner, administrator, brand), then brands, keys and administrators whose name contains it, in upper or lower
case. Administrators are shown to administrators only. If nothing is found, \`similar\` has the brands that may be meant.`,
  access: 'filtered-by-brand',
  query: Type.Object({
    q: Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '\\S',
      format: 'storable-text',
      description: 'An id, or a part of a name.',
      examples: ['stock-2026-03-01'],
    }),
  }),
  responses: { 200: { description: 'What was found.', schema: FindingListWire, example } },
  handle: async ({ database }, { query, internalCaller: { brandIds, role } }) => {
    const reach = { brandIds, isAdministrator: role === 'administrator' };
    const found = await findAnything(database, query.q.trim(), reach);
    const data = found.slice(0, mostFindings).map(({ brandId, brandName, ...same }) => ({
      ...same,
      brand_id: brandId,
      brand_name: brandName,
    }));
    const meant = found.length === 0 ? await findSimilarBrands(database, query.q.trim(), brandIds) : [];
    const similar = meant.map(({ id, name }) => ({
      kind: 'brand',
      id: String(id),
      title: name,
      brand_id: id,
      brand_name: name,
    }));
    return { status: 200, body: { data, similar } };
  },
});

export const searchOperations: readonly Operation[] = [searchOperation];
