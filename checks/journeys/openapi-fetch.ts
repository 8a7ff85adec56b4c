import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from '#generated/client-openapi-typescript.js';
import type { paths as InternalPaths } from '#generated/internal-openapi-typescript.js';
import { eventually, present, type Service, yesterday } from './service.js';

type Schemas = components['schemas'];

/** An integrator's first day with openapi-typescript and openapi-fetch. */
export async function run({ clientUrl, internalUrl, adminToken }: Service): Promise<void> {
  const admin = createClient<InternalPaths>({
    baseUrl: internalUrl,
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const day = yesterday();
  const { brandId, apiKey } = await setUp(admin, day);
  const client = createClient<paths>({
    baseUrl: clientUrl,
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const product = await makeProduct(client);
  await generate(client, product.tu_id);
  await adjust(client, product.tu_id);
  await feed(client);
  await lists(client);
  await analytics(client, day);
  await errors(client);
  const { data, error } = await admin.GET('/internal/v1/brands/{id}/feeds', {
    params: { path: { id: String(brandId) } },
  });
  equal(present(data, error).data[0]?.status, 'completed');
}

type Client = ReturnType<typeof createClient<paths>>;
type Admin = ReturnType<typeof createClient<InternalPaths>>;

const newKey = () => ({ header: { 'Idempotency-Key': randomUUID() } });

async function setUp(admin: Admin, day: string): Promise<{ brandId: number; apiKey: string }> {
  // No setting is required, although each has a default.
  const brand = await admin.POST('/internal/v1/brands', {
    body: { name: 'openapi-fetch', settings: { low_stock_threshold: 2 } },
  });
  const { id } = present(brand.data, brand.error);
  const params = { path: { id: String(id) } };
  const key = await admin.POST('/internal/v1/brands/{id}/keys', {
    params,
    body: {
      name: 'Journey',
      scopes: [
        'catalog.products:read',
        'catalog.products:write',
        'catalog.axes:write',
        'catalog.variants:write',
        'catalog.stock:read',
        'catalog.stock:write',
        'catalog.stock:ingest',
        'analytics.metrics:read',
        'analytics.users:read',
      ],
    },
  });
  for (const tuId of ['u-1', 'u-2']) {
    const learner = await admin.PUT('/internal/v1/brands/{id}/users', {
      params,
      body: { items: [{ tu_id: tuId }] },
    });
    equal(present(learner.data, learner.error).upserted, 1);
  }
  const taken = await admin.POST('/internal/v1/brands/{id}/events', {
    params,
    body: {
      items: ['u-1', 'u-2'].map((user) => ({
        event_id: `${user}-view`,
        occurred_at: `${day}T10:00:00Z`,
        kind: 'view' as const,
        user,
        content: { type: 'episode', tu_id: 'ep-1' },
        progress: 50,
      })),
    },
  });
  equal(present(taken.data, taken.error).accepted, 2);
  const aggregated = await admin.POST('/internal/v1/brands/{id}/aggregations', {
    params,
    body: { from: day, to: day },
  });
  ok(aggregated.data, JSON.stringify(aggregated.error));
  return { brandId: id, apiKey: present(present(key.data, key.error).api_key ?? undefined, 'shown') };
}

async function makeProduct(client: Client): Promise<Schemas['Product']> {
  const created = await client.POST('/v1/client/catalog/products', {
    params: newKey(),
    body: { sku: 'TEE', title: 'Tee', price_value: 20, is_active: true },
  });
  const product = present(created.data, created.error);
  equal(product.profile, null);
  for (const [code, values] of [
    ['color', ['red', 'blue']],
    ['size', ['s', 'm']],
  ] as const) {
    const axis = await client.POST('/v1/client/catalog/axes', {
      body: { code, values: values.map((value) => ({ value })) },
    });
    equal(present(axis.data, axis.error).values.length, 2);
  }
  const selected = await client.PUT('/v1/client/catalog/products/{tuId}/axes', {
    params: { path: { tuId: product.tu_id } },
    body: {
      axes: [
        { code: 'color', values: ['red', 'blue'] },
        { code: 'size', values: ['s', 'm'] },
      ],
    },
  });
  deepEqual(
    present(selected.data, selected.error).data.map(({ code }) => code),
    ['color', 'size'],
  );
  return product;
}

async function generate(client: Client, tuId: string): Promise<void> {
  for (const isDryRun of [true, false]) {
    const { data, error } = await client.POST('/v1/client/catalog/products/{tuId}/variants/generate', {
      params: { path: { tuId }, ...newKey() },
      body: { dry_run: isDryRun },
    });
    const result = present(data, error);
    // Each branch has the fields of one result only.
    if (result.dry_run) equal(result.would_create, 4);
    else equal(result.variants.length, result.created);
    equal(result.dry_run, isDryRun);
  }
}

async function adjust(client: Client, tuId: string): Promise<void> {
  const params = { path: { tuId } };
  const listed = await client.GET('/v1/client/catalog/products/{tuId}/variants', {
    params: { ...params, query: { sku: 'TEE-red-m' } },
  });
  const variant = present(present(listed.data, listed.error).data[0]?.tu_id, 'no variant');
  const body = { variant, quantity: 7, expected_quantity: 0 };
  // @ts-expect-error: a prohibited field is not part of the type.
  const withReserved: Schemas['StockAdjust'] = { ...body, reserved: 1 };
  equal(withReserved.quantity, 7);

  const path = '/v1/client/catalog/products/{tuId}/stock/adjust';
  const first = await client.POST(path, { params: { ...params, ...newKey() }, body });
  equal(present(first.data, first.error).level.quantity, 7);
  const { error } = await client.POST(path, { params: { ...params, ...newKey() }, body });
  ok(error);
  if (error.code === 'stock_version_conflict') {
    const again = {
      ...body,
      quantity: error.current_quantity + 1,
      expected_quantity: error.current_quantity,
    };
    const second = await client.POST(path, { params: { ...params, ...newKey() }, body: again });
    equal(present(second.data, second.error).level.quantity, 8);
  } else throw new Error(`not a conflict but ${error.code}`);
}

async function feed(client: Client): Promise<void> {
  const location = await client.POST('/v1/client/catalog/stock/locations', { body: { external_code: 'WH' } });
  equal(present(location.data, location.error).is_active, true);
  const { data, error } = await client.POST('/v1/client/catalog/stock/feeds', {
    params: newKey(),
    body: {
      source: 'erp',
      mode: 'snapshot',
      lines: [
        { sku: 'TEE-red-s', location_code: 'WH', quantity: 3 },
        { sku: 'NOPE', location_code: 'WH', quantity: 3, reserved: 1 },
      ],
    },
  });
  const { feed_id: tuId } = present(data, error);
  const report = await eventually('the end of the feed', async () => {
    const read = await client.GET('/v1/client/catalog/stock/feeds/{tuId}', {
      params: { path: { tuId }, query: { per_page: 10 } },
    });
    const current = present(read.data, read.error);
    return current.status === 'completed' ? current : null;
  });
  deepEqual(
    report.lines.data.map(({ result }) => result),
    ['applied', 'unknown_sku'],
  );
}

async function lists(client: Client): Promise<void> {
  const skus: string[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, error } = await client.GET('/v1/client/catalog/stock/levels', {
      params: { query: { page, per_page: 1 } },
    });
    const { data: levels, meta } = present(data, error);
    skus.push(...levels.map(({ sku }) => sku));
    last = meta.last_page;
  }
  deepEqual(skus, ['TEE-red-m', 'TEE-red-s']);
  const { data, error } = await client.GET('/v1/client/catalog/products', {
    params: { query: { has_variants: true, sort: 'sku' } },
  });
  equal(present(data, error).data[0]?.stock_summary?.total_quantity, 11);
}

async function analytics(client: Client, day: string): Promise<void> {
  const daily = await client.GET('/v1/client/analytics/metrics/daily', {
    params: { query: { from: day, to: day } },
  });
  const [row] = present(daily.data, daily.error).data;
  equal(row?.totals.views, 2);
  const readPage = async (cursor: string): Promise<Schemas['UserDayPage']> => {
    const { data, error } = await client.GET('/v1/client/analytics/users/daily', {
      params: { query: { from: day, to: day, per_page: 1, cursor } },
    });
    return present(data, error);
  };
  const users: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Schemas['UserDayPage'] = await readPage(cursor);
    for (const { user, market } of page.data) {
      users.push(user.tu_id);
      equal(market, null);
    }
    cursor = page.meta.next_cursor;
  }
  deepEqual(users, ['u-1', 'u-2']);
}

async function errors(client: Client): Promise<void> {
  const { error, response } = await client.POST('/v1/client/catalog/products', {
    params: newKey(),
    body: { sku: 'TEE' },
  });
  equal(response.status, 409);
  ok(error);
  // Every error is an ApiError, known or not.
  const envelope: Schemas['ApiError'] = error;
  ok(envelope.message.length > 0);
  switch (error.code) {
    case 'duplicate_sku':
      equal(error.conflict?.kind, 'product');
      break;
    case 'validation_failed':
      throw new Error(Object.keys(error.errors).join());
    default:
      // The other codes of the operation, and codes added later.
      throw new Error(error.message);
  }

  const refused = await client.POST('/v1/client/catalog/products', {
    params: newKey(),
    body: { sku: ' padded ' },
  });
  ok(refused.error?.code === 'validation_failed');
  deepEqual(Object.keys(refused.error.errors), ['sku']);
}
