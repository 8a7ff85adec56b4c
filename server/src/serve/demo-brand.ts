import { newApiKey } from '../access/api-keys/api-key.ts';
import { createApiKey } from '../access/api-keys/api-key-service.ts';
import { insertApiKey } from '../access/api-keys/api-key-store.ts';
import { exampleIds } from '../api/example-ids.ts';
import type { ServiceContext } from '../api/operation.ts';
import { type Caller, scopes } from '../api/scopes.ts';
import { createBrand } from '../brands/brand-operations.ts';
import { hasBrands } from '../brands/brand-store.ts';
import { feedQueue, storeFeed } from '../catalog/feeds/feed-service.ts';
import { parseFeed } from '../catalog/feeds/parse-feed.ts';
import { putItems } from '../directory/directory-kind.ts';
import { contents, markets, pointsOfSale } from '../directory/directory-operations.ts';
import { putLearners } from '../directory/learner-operations.ts';
import { type AuditedTransaction, serverInitiator, type Transaction } from '../postgres/transaction.ts';
import { demoLocation, makeDemoCatalog } from './demo-catalog.ts';

export interface DemoBrand {
  readonly brandId: number;
  readonly brandName: string;
  /** The plaintext key, with every scope; this is the only time that it is known. */
  readonly apiKey: string;
}

const brandName = 'Demo Outfitters';

const feed = {
  source: 'erp',
  mode: 'snapshot',
  lines: [
    { sku: 'TEE-001-red-s', location_code: demoLocation, quantity: 8 },
    { sku: 'TEE-999', location_code: demoLocation, quantity: 3 },
  ],
};

/** Creates a demo brand with the documents' ids [D62], in one transaction; null if there are brands. */
export async function makeDemoBrand(context: ServiceContext): Promise<DemoBrand | null> {
  const { database, clock, jobs } = context;
  const demo = await database.auditedTransaction(serverInitiator('brandport serve'), async (tx) => {
    if (await hasBrands(tx)) return null;
    const brand = await createBrand(tx, { name: brandName });
    const request = { brandId: brand.id, name: 'Demo key', scopes, expiresAt: null, replacesKeyId: null };
    const { key, plaintext } = await createApiKey(tx, clock, request);
    await makeSpareKey(tx, brand.id);
    const caller: Caller = {
      brandId: brand.id,
      keyId: key.keyId,
      lineageId: key.lineageId,
      keyName: key.name,
      scopes: new Set(scopes),
      expiresAt: null,
    };
    await makeDemoCatalog(tx, caller);
    await makeDirectory(context, tx, brand.id);
    await sendFeed(context, tx, brand.id);
    return { brandId: brand.id, brandName, apiKey: plaintext };
  });
  if (demo !== null) jobs.wake(feedQueue);
  return demo;
}

/** A key for trying rotation and revocation. Its secret is discarded, so that its known id grants no access. */
async function makeSpareKey(tx: Transaction, brandId: number): Promise<void> {
  const { secretSha256 } = newApiKey();
  await insertApiKey(tx, {
    brandId,
    keyId: exampleIds.key,
    name: 'Spare key, secret unknown',
    scopes: ['catalog.products:read'],
    expiresAt: null,
    secretSha256,
    rotatedFromKeyId: null,
    ownLimits: null,
    replacesKeyId: null,
    lineageId: null,
  });
}

async function makeDirectory(
  { jobs }: ServiceContext,
  tx: AuditedTransaction,
  brandId: number,
): Promise<void> {
  await putItems(markets, tx, brandId, { items: markets.put.bodyExample.items, jobs });
  await putItems(pointsOfSale, tx, brandId, {
    items: [
      { tu_id: 'shop-12', name: 'Shop 12', location: demoLocation },
      { tu_id: 'shop-13', name: 'Shop 13' },
    ],
    jobs,
  });
  await putLearners(tx, brandId, [{ tu_id: 'u-4711', market: 'de-north' }, { tu_id: 'u-4712' }], jobs);
  await putItems(contents, tx, brandId, { items: contents.put.bodyExample.items, jobs });
}

async function sendFeed(context: ServiceContext, tx: Transaction, brandId: number): Promise<void> {
  const receivedAt = new Date(context.clock.now());
  const body = new TextEncoder().encode(JSON.stringify(feed));
  const read = await parseFeed(context.threads, body, { receivedAt: receivedAt.getTime() });
  const ids = { brandId, batchId: 'demo-opening-stock', tuId: exampleIds.feed, jobId: exampleIds.job };
  await storeFeed(context, tx, { ...read, ...ids, receivedAt, submittedBy: null, requestId: null });
}
