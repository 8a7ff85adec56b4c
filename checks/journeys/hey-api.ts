import { deepEqual, equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { client } from '#generated/client-hey-api/client.gen.js';
import {
  type ApiError,
  adjustStock,
  createAxis,
  createProduct,
  createStockLocation,
  generateVariants,
  getStockFeedReport,
  listDailyMetrics,
  listProducts,
  listStockLevels,
  listUserDays,
  listVariants,
  type Product,
  replaceProductAxes,
  type StockAdjust,
  submitStockFeed,
  type UserDayPage,
} from '#generated/client-hey-api/index.js';
import { client as adminClient } from '#generated/internal-hey-api/client.gen.js';
import * as admin from '#generated/internal-hey-api/index.js';
import { eventually, present, type Service, yesterday } from './service.js';

/** An integrator's first day with the client that @hey-api/openapi-ts generates. */
export async function run({ clientUrl, internalUrl, adminToken }: Service): Promise<void> {
  adminClient.setConfig({ baseUrl: internalUrl, auth: adminToken });
  const day = yesterday();
  const { brandId, apiKey } = await setUp(day);
  client.setConfig({ baseUrl: clientUrl, auth: apiKey });
  const product = await makeProduct();
  await generate(product.tu_id);
  await adjust(product.tu_id);
  await feed();
  await lists();
  await analytics(day);
  await errors();
  const { data, error } = await admin.listBrandFeeds({ path: { id: String(brandId) } });
  equal(present(data, error).data[0]?.status, 'completed');
}

const newKey = () => ({ 'Idempotency-Key': randomUUID() });

async function setUp(day: string): Promise<{ brandId: number; apiKey: string }> {
  // No setting is required, although each has a default.
  const brand = await admin.createBrand({ body: { name: 'hey-api', settings: { low_stock_threshold: 2 } } });
  const { id } = present(brand.data, brand.error);
  const path = { id: String(id) };
  const key = await admin.createApiKey({
    path,
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
  const users = ['u-1', 'u-2'];
  const learners = await admin.putLearners({ path, body: { items: users.map((tu_id) => ({ tu_id })) } });
  equal(present(learners.data, learners.error).upserted, 2);
  const taken = await admin.postLearningEvents({
    path,
    body: {
      items: users.map((user) => ({
        event_id: `${user}-view`,
        occurred_at: `${day}T10:00:00Z`,
        kind: 'view',
        user,
        content: { type: 'episode', tu_id: 'ep-1' },
        progress: 50,
      })),
    },
    headers: { 'content-type': 'application/json' },
  });
  equal(present(taken.data, taken.error).accepted, 2);
  const aggregated = await admin.aggregateDays({ path, body: { from: day, to: day } });
  ok(aggregated.data, JSON.stringify(aggregated.error));
  return { brandId: id, apiKey: present(present(key.data, key.error).api_key ?? undefined, 'shown') };
}

async function makeProduct(): Promise<Product> {
  const created = await createProduct({
    headers: newKey(),
    body: { sku: 'TEE', title: 'Tee', price_value: 20, is_active: true },
  });
  const product = present(created.data, created.error);
  equal(product.profile, null);
  const axes = [
    { code: 'color', values: ['red', 'blue'] },
    { code: 'size', values: ['s', 'm'] },
  ];
  for (const { code, values } of axes) {
    const axis = await createAxis({ body: { code, values: values.map((value) => ({ value })) } });
    equal(present(axis.data, axis.error).values.length, 2);
  }
  const selected = await replaceProductAxes({ path: { tuId: product.tu_id }, body: { axes } });
  deepEqual(
    present(selected.data, selected.error).data.map(({ code }) => code),
    ['color', 'size'],
  );
  return product;
}

async function generate(tuId: string): Promise<void> {
  for (const isDryRun of [true, false]) {
    const { data, error } = await generateVariants({
      path: { tuId },
      headers: newKey(),
      body: { dry_run: isDryRun },
    });
    const result = present(data, error);
    // Each branch has the fields of one result only.
    if (result.dry_run) equal(result.would_create, 4);
    else equal(result.variants.length, result.created);
    equal(result.dry_run, isDryRun);
  }
}

async function adjust(tuId: string): Promise<void> {
  const path = { tuId };
  const listed = await listVariants({ path, query: { sku: 'TEE-red-m' } });
  const variant = present(present(listed.data, listed.error).data[0]?.tu_id, 'no variant');
  const body: StockAdjust = { variant, quantity: 7, expected_quantity: 0 };
  // @ts-expect-error: a prohibited field is not part of the type.
  const withReserved: StockAdjust = { ...body, reserved: 1 };
  equal(withReserved.quantity, 7);

  const first = await adjustStock({ path, headers: newKey(), body });
  equal(present(first.data, first.error).level.quantity, 7);
  const { error } = await adjustStock({ path, headers: newKey(), body });
  ok(error);
  if (error.code === 'stock_version_conflict') {
    const again = {
      ...body,
      quantity: error.current_quantity + 1,
      expected_quantity: error.current_quantity,
    };
    const second = await adjustStock({ path, headers: newKey(), body: again });
    equal(present(second.data, second.error).level.quantity, 8);
  } else throw new Error(`not a conflict but ${error.code}`);
}

async function feed(): Promise<void> {
  const location = await createStockLocation({ body: { external_code: 'WH' } });
  equal(present(location.data, location.error).is_active, true);
  const { data, error } = await submitStockFeed({
    headers: newKey(),
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
    const read = await getStockFeedReport({ path: { tuId }, query: { per_page: 10 } });
    const current = present(read.data, read.error);
    return current.status === 'completed' ? current : null;
  });
  deepEqual(
    report.lines.data.map(({ result }) => result),
    ['applied', 'unknown_sku'],
  );
}

async function lists(): Promise<void> {
  const skus: string[] = [];
  for (let page = 1, last = 1; page <= last; page++) {
    const { data, error } = await listStockLevels({ query: { page, per_page: 1 } });
    const { data: levels, meta } = present(data, error);
    skus.push(...levels.map(({ sku }) => sku));
    last = meta.last_page;
  }
  deepEqual(skus, ['TEE-red-m', 'TEE-red-s']);
  const { data, error } = await listProducts({ query: { has_variants: true, sort: 'sku' } });
  equal(present(data, error).data[0]?.stock_summary?.total_quantity, 11);
}

async function analytics(day: string): Promise<void> {
  const daily = await listDailyMetrics({ query: { from: day, to: day } });
  const [row] = present(daily.data, daily.error).data;
  equal(row?.totals.views, 2);
  const readPage = async (cursor: string): Promise<UserDayPage> => {
    const { data, error } = await listUserDays({ query: { from: day, to: day, per_page: 1, cursor } });
    return present(data, error);
  };
  const users: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: UserDayPage = await readPage(cursor);
    for (const { user, market } of page.data) {
      users.push(user.tu_id);
      equal(market, null);
    }
    cursor = page.meta.next_cursor;
  }
  deepEqual(users, ['u-1', 'u-2']);
}

async function errors(): Promise<void> {
  const { error, response } = await createProduct({ headers: newKey(), body: { sku: 'TEE' } });
  equal(response?.status, 409);
  ok(error);
  // Every error is an ApiError, known or not.
  const envelope: ApiError = error;
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

  const refused = await createProduct({ headers: newKey(), body: { sku: ' padded ' } });
  ok(refused.error?.code === 'validation_failed');
  deepEqual(Object.keys(refused.error.errors), ['sku']);
}
