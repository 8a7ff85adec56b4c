import assert from 'node:assert/strict';
import { it } from 'node:test';
import pg from 'pg';
import type { ApiResponse } from '../../../test/support/api-client.ts';
import { createTestApps } from '../../../test/support/test-apps.ts';
import { selecting } from '../../catalog/tests/new-axes.ts';
import { clientDomains } from '../operations.ts';
import { newWorld, type World } from './write-world.ts';

interface Query {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The statements of each transaction, and each read outside of one. */
const recorded: Query[][] = [];
const open = new WeakMap<pg.Client, Query[]>();
let isRecording = false;

const { query: sendQuery } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...sent: Parameters<typeof sendQuery>) {
  const config: unknown = sent[0];
  if (config === 'begin') open.set(this, []);
  if (config === 'commit' || config === 'rollback') {
    if (isRecording) recorded.push(open.get(this) ?? []);
    open.delete(this);
  }
  if (typeof config === 'object' && config !== null) {
    const { name = '', text = '', values = [] } = config as Partial<Query>;
    const transaction = open.get(this);
    if (transaction !== undefined) transaction.push({ name, text, values });
    else if (isRecording) recorded.push([{ name, text, values }]);
  }
  return sendQuery.apply(this, sent);
} as typeof sendQuery;

const apps = await createTestApps();
const worlds = [await newWorld(apps), await newWorld(apps), await newWorld(apps)];
const operations = clientDomains.flatMap(({ domain, operations: all }) =>
  all.map((operation) => ({ domain, operation })),
);
let keys = 0;

interface Sent {
  /** The parameters of the path. */
  readonly of?: readonly (string | undefined)[];
  readonly query?: string;
  readonly body?: object;
  /** Default: a success. */
  readonly status?: number;
}

const since = 'updated_since=2020-01-01T00:00:00Z';
const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const range = `from=${day}&to=${day}`;
const lists = (...queries: string[]) => queries.map((query): Sent => ({ query }));

/** Requests of each operation, in the order of the reference. */
function requestsOf({
  ids: { parent, simple, bare, first, second },
}: World): Record<string, readonly Sent[]> {
  return {
    getCatalogStatus: [{}],
    listProducts: lists(
      '',
      'sort=sku',
      'is_active=true',
      'has_variants=true',
      'sku=P0',
      since,
      'page=2&per_page=1',
    ),
    createProduct: [{ body: { sku: 'NEW', versions: { de: { title: 'Neu' } } } }],
    getProduct: [{ of: [parent] }, { of: [simple] }],
    updateProduct: [
      { of: [simple], body: { title: 'A', is_active: true } },
      { of: [simple], body: { sku: 'RENAMED' } },
    ],
    listAxes: lists('', 'is_active=true'),
    createAxis: [{ body: { code: 'new', values: [{ value: 'x' }] } }, { body: { code: 'other' } }],
    updateAxis: [{ of: ['new'], body: { label: 'New' } }],
    deleteAxis: [{ of: ['other'] }],
    createAxisValue: [{ of: ['new'], body: { value: 'y' } }],
    updateAxisValue: [{ of: ['new', 'y'], body: { label: 'Y' } }],
    deleteAxisValue: [{ of: ['new', 'y'] }],
    getProductAxes: [{ of: [parent] }],
    replaceProductAxes: [{ of: [bare], body: selecting({ size: ['s', 'm'], color: ['red'] }) }],
    listVariants: [{ of: [parent] }, { of: [parent], query: 'is_active=true&sku=V1' }],
    createVariant: [{ of: [bare], body: { sku: 'B-S', axis_values: { size: 's', color: 'red' } } }],
    generateVariants: [
      { of: [bare], body: { dry_run: true } },
      { of: [bare], body: { activate: true } },
    ],
    updateVariant: [
      { of: [first], body: { barcode: '1' } },
      { of: [first], body: { sku: 'R', is_active: true } },
    ],
    deleteVariant: [{ of: [first] }],
    listStockLocations: [{}],
    createStockLocation: ['L0', 'L2'].map((code): Sent => ({ body: { external_code: code } })),
    updateStockLocation: [{ of: ['WH'], body: { is_active: false } }],
    listStockLevels: lists('', 'sku=RENAMED', 'location=WH', since, 'changed_after=start'),
    getProductStock: [{ of: [parent] }, { of: [simple], query: 'location=WH' }],
    listStockMovements: [
      { of: [parent] },
      { of: [parent], query: `variant=${second}` },
      { of: [parent], query: 'location=WH' },
    ],
    adjustStock: [
      { of: [simple], body: { quantity: 3 } },
      { of: [parent], body: { variant: second, location: 'L1', quantity: 3 } },
    ],
    submitStockFeed: [
      {
        body: { source: 'wms', mode: 'snapshot', lines: [{ sku: 'NEW', location_code: 'L1', quantity: 5 }] },
      },
    ],
    getStockFeedReport: [{}],
    getAnalyticsStatus: [{}],
    listDailyMetrics: lists(range, `${range}&group_by=market`),
    listContentMetrics: lists(range),
    listUserDays: [{ query: range }, { query: `${range}&user=u`, status: 404 }],
    listUserContents: lists(range, `${range}&completed=true`),
  };
}

async function send(
  { client }: World,
  id: string,
  sent: Sent & { readonly feed?: string },
): Promise<ApiResponse> {
  const { domain, operation } = operations.find((each) => each.operation.id === id) ?? assert.fail(id);
  const params = [...(sent.of ?? [sent.feed])];
  const path = operation.path.replaceAll(/:\w+/g, () => params.shift() as string);
  keys += 1;
  const response = await client.request(operation.method, `/${domain}${path}?${sent.query ?? ''}`, {
    headers: { 'idempotency-key': `key-${keys}` },
    ...(sent.body !== undefined && { body: sent.body }),
  });
  const { status, text } = response;
  assert.ok(sent.status === undefined ? status < 300 : status === sent.status, `${id}: ${status} ${text}`);
  return response;
}

/** Sends a request of every kind. */
async function sendAll(world: World): Promise<void> {
  const requests = requestsOf(world);
  let feed = '';
  for (const {
    operation: { id },
  } of operations)
    for (const sent of requests[id] ?? assert.fail(`say above how to send ${id}`)) {
      const { json } = await send(world, id, { ...sent, feed });
      feed = json?.feed_id ?? feed;
    }
}

/** Sends requests that share transactions. */
async function sendAtOnce(world: World, round: number): Promise<void> {
  const { simple, bare } = world.ids;
  const atOnce = ['A', 'B', 'C'].flatMap((name, quantity) => [
    send(world, 'createProduct', { body: { sku: `${name}-${round}` } }),
    send(world, 'updateProduct', { of: [quantity > 1 ? simple : bare], body: { title: name } }),
    send(world, 'adjustStock', {
      of: [simple],
      body: { location: `L${quantity}`, quantity: quantity + round },
    }),
  ]);
  await Promise.all(atOnce);
}

type Plan = Readonly<Record<string, unknown>> & { readonly Plans?: readonly Plan[] };

/** The columns of each table with rows of brands, in their order. */
const columns = Map.groupBy(
  await apps.sql<{ table: string; column: string }>(
    `select concat_ws('.', n.nspname, c.relname) as table, a.attname as column
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname in ('public', 'analytics') and (c.oid = 'brands'::regclass or exists (
       select from pg_attribute b where b.attrelid = c.oid and b.attname = 'brand_id'
     ))
     order by a.attnum`,
  ),
  ({ table }) => table,
);

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

interface Brand {
  /** The numbers of the parameters that name it. */
  readonly parameters: ReadonlySet<number>;
  /** The tables of which rows of any brand are read or written. */
  readonly faults: readonly string[];
}

const conditionNames = [
  'Index Cond',
  'Recheck Cond',
  'Filter',
  'Join Filter',
  'Hash Cond',
  'Merge Cond',
  'TID Cond',
];

/**
 * Finds the brand of a statement in its plan for any values. A table is scanned with the condition `brand_id = $n` or
 * `brand_id = any ($n)`, or that its brand is that of another such table, of a set of rows that are parameters, or of a part of
 * the statement. A new row has such a brand as well.
 */
function brandOf({ text }: Query, plan: Plan): Brand {
  const nodes = nodesOf(plan);
  const conditions = nodes.flatMap((node) => conditionNames.map((name) => node[name])).join(' ');
  const uses = nodes.flatMap((node) => {
    const table = `${node['Schema']}.${node['Relation Name']}`;
    const column = table === 'public.brands' ? 'id' : 'brand_id';
    const place = columns.get(table)?.findIndex((each) => each.column === column);
    if (place === undefined) return [];
    const alias = `${node['Alias']}`;
    if (node['Node Type'] !== 'ModifyTable')
      return [
        {
          table,
          alias,
          brands: [...comparedWith(`${alias}.${column}`, conditions), ...foundBy(alias, conditions)],
        },
      ];
    return node['Operation'] === 'Insert'
      ? [{ table, alias, brands: insertedBrands(node, place, text) }]
      : [];
  });
  const named = new Set(
    nodes.filter((node) => /^(Subquery|CTE) Scan$/.test(`${node['Node Type']}`)).map((node) => node['Alias']),
  );
  const sets = setsOf(text);
  for (const { alias, parameter } of sets) {
    const scans = nodes.filter((node) => new RegExp(`^${alias}(_\\d+)?$`).test(`${node['Alias']}`));
    if (parameter !== null) for (const scan of scans) named.add(scan['Alias']);
  }
  let open = uses;
  const isNamed = (brand: string) => brand.startsWith('$') || named.has(brand.split('.')[0]);
  for (let before = -1; before !== open.length; ) {
    before = open.length;
    for (const { alias, brands } of open) if (brands.some(isNamed)) named.add(alias);
    open = open.filter(({ brands }) => !brands.some(isNamed));
  }
  const parameters = uses.flatMap(({ brands }) => brands.filter((brand) => brand.startsWith('$')));
  for (const { parameter } of sets) if (parameter !== null) parameters.push(parameter);
  return {
    parameters: new Set(parameters.map((name) => Number(name.slice(1)))),
    faults: open.map(({ table }) => table),
  };
}

interface ParameterSet {
  readonly alias: string;
  /** The parameter with the brand of each row; null: rows have none, also if that is so of another set with the alias. */
  readonly parameter: string | null;
}

/** Returns the sets of rows, `unnest(…) as g (…)`, that a statement has as parameters. */
function setsOf(text: string): ParameterSet[] {
  const found = text.matchAll(/unnest\(((?:[^()]|\([^()]*\))*)\)(?: with ordinality)? as (\w+) \(([^)]*)\)/g);
  const sets = [...found].map(([, values = '', alias = '', names = '']) => {
    const place = names.split(', ').indexOf('brand_id');
    return { alias, parameter: [...values.matchAll(/\$\d+/g)][place]?.[0] ?? null };
  });
  const areNamed = ({ alias }: ParameterSet) =>
    sets.every((other) => other.alias !== alias || other.parameter !== null);
  return sets.map((set) => (areNamed(set) ? set : { ...set, parameter: null }));
}

/** Returns the parameters, such as `$1`, and columns, such as `p.brand_id`, that the conditions compare a column with. */
function comparedWith(column: string, conditions: string): string[] {
  const brand = String.raw`(\$\d+|\w+\.(?:brand_id|id))`;
  const of = RegExp.escape(column);
  const any = String.raw`ANY \((\$\d+)\)`;
  const either = new RegExp(
    `(?<!\\w)${of} = (?:${brand}|${any})(?!\\w)|(?<!\\w)${brand} = ${of}(?!\\w)`,
    'g',
  );
  return [...conditions.matchAll(either)].map(([, right, some, left]) => right ?? some ?? left ?? '');
}

/** Returns the part of the statement, such as `k.place`, that has found a row by its brand, and names its place. */
function foundBy(alias: string, conditions: string): string[] {
  const of = RegExp.escape(alias);
  const place = String.raw`(\w+\.place)`;
  const either = new RegExp(`(?<!\\w)${of}\\.ctid = ${place}|${place} = ${of}\\.ctid(?!\\w)`, 'g');
  return [...conditions.matchAll(either)].map(([, right, left]) => right ?? left ?? '');
}

function insertedBrands(node: Plan, place: number, text: string): string[] {
  const source = node.Plans?.find((each) => each['Parent Relationship'] === 'Outer');
  const brand = (source?.['Output'] as string[])[place] ?? '';
  // Several rows, of which each begins with its brand.
  return brand === '"*VALUES*".column1'
    ? [...text.matchAll(/\((\$\d+),/g)].map(([, name]) => name as string)
    : [brand];
}

/** The brands of each turn that has several. */
function sharedTurns(): number[][] {
  return recorded.map(brandsLockedIn).filter((own) => own.length > 1);
}

function brandsLockedIn(statements: readonly Query[]): number[] {
  const locking = statements.find(({ name }) => name.startsWith('lock_free_'));
  return locking === undefined ? [] : brandsIn(locking.values[0]);
}

/** Statements that name no brand, and why. */
const exceptions: Readonly<Record<string, string>> = {
  find_credential: 'a key is found by its id, before its brand is known',
  add_key_usage: 'the counts of all keys, written by a timer',
  touch_api_keys: 'the last use of all keys, written by a timer',
  add_refusals: 'the refused requests of all brands, written by a timer',
};

isRecording = true;
for (const world of worlds) await send(world, 'getCatalogStatus', {});
await Promise.all(worlds.map(sendAll));
for (let round = 0; round < 10 && sharedTurns().length < 3; round += 1)
  await Promise.all(worlds.map((world) => sendAtOnce(world, round)));
const { simple } = (worlds[0] as World).ids;
await Promise.all(
  Array.from({ length: 40 }, (_, n) => {
    return send(worlds[0] as World, 'adjustStock', {
      of: [simple],
      body: { location: 'L1', quantity: 100 + n },
    });
  }),
);
isRecording = false;
const brands = new Map<string, Brand>();
for (const query of new Map(recorded.flat().map((each) => [each.name, each])).values()) {
  // Those without a name are the job queue's and the session's.
  if (query.name === '') continue;
  const [row] = await apps.sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `explain (generic_plan, verbose, format json) ${query.text}`,
  );
  brands.set(query.name, brandOf(query, row?.['QUERY PLAN'][0].Plan as Plan));
}

it('every statement of the client API names the brand of each row that it reads or writes', () => {
  const faults = [...brands].flatMap(([name, { faults: tables }]) => (tables.length > 0 ? [name] : []));
  assert.deepEqual(new Set(faults).difference(new Set(Object.keys(exceptions))), new Set());
  assert.deepEqual(brands.get('find_credential')?.faults, ['public.api_keys', 'public.brands']);
  assert.ok(brands.size > 90);
});

/** Returns the brands that a parameter names: an id, or many as a list or as PostgreSQL writes an array. */
function brandsIn(value: unknown): number[] {
  if (typeof value === 'string') return (value.match(/\d+/g) ?? []).map(Number);
  return Array.isArray(value) ? value : [Number(value)];
}

it('every transaction of the client API names the brands that it has locked and no other, without a turn only one', () => {
  const ids = new Set(worlds.map(({ brandId }) => brandId));
  for (const statements of recorded) {
    const names = statements.map(({ name }) => name).join(', ');
    const own = brandsLockedIn(statements);
    const named = new Set(
      statements.flatMap(({ name, values }) =>
        [...(brands.get(name)?.parameters ?? [])].flatMap((n) => brandsIn(values[n - 1])),
      ),
    );
    if (own.length === 0) assert.ok(named.size <= 1, names);
    else assert.deepEqual(named, new Set(own), names);
    if (named.size > 0) assert.ok(named.isSubsetOf(ids), names);
  }
  assert.ok(sharedTurns().length > 2, 'no brands shared a turn');
  assert.ok(
    recorded.flat().some(({ name }) => /^insert_[2-9]_idempotency_records$/.test(name)),
    'no requests shared one',
  );
});

it('a turn of 16 adjustments reads each level, and writes with two statements', () => {
  const turn = recorded.find((statements) =>
    statements.some(({ name }) => name === 'insert_16_idempotency_records'),
  );
  const counts = Map.groupBy(turn ?? assert.fail('no turn of 16'), ({ name }) => name);
  assert.deepEqual(
    [...counts].map(([name, of]) => `${of.length} ${name}`),
    [
      '1 lock_idempotency_keys',
      '1 find_idempotency_records',
      '1 lock_free_stocks',
      '16 find_stock_place',
      '1 write_levels_new_levels_movements_rollups_stocks_changes',
      '1 insert_16_idempotency_records',
    ],
  );
});
