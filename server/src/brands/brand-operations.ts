import { type Operation, writeOperation } from '../api/operation.ts';
import { tagHeaders } from '../api/reply.ts';
import { recordAudit } from '../audit/audit-store.ts';
import { ApiError, notFound } from '../errors/api-error.ts';
import { isMatched } from '../lib/entity-tags.ts';
import type { Queryable } from '../postgres/database.ts';
import type { AuditedTransaction } from '../postgres/transaction.ts';
import {
  type Brand,
  type BrandChange,
  type BrandSettings,
  brandDifference,
  brandTag,
  changedBrand,
  defaultSettings,
} from './brand.ts';
import { findBrand, insertBrand, lockBrand, updateBrandRow } from './brand-store.ts';
import {
  BrandParams,
  BrandWire,
  brandExample,
  brandIdFromPath,
  brandToWire,
  CreateBrandBody,
  settingsFromWire,
  UpdateBrandBody,
} from './brand-wire.ts';

const createBrandOperation = writeOperation({
  id: 'createBrand',
  method: 'POST',
  path: '/brands',
  tag: 'Brands',
  summary: 'Create a brand',
  description:
    'Creates a tenant: keys, products, stock and learners belong to one brand and are invisible to the keys of others. Omitted settings take their defaults.',
  access: 'administrators',
  body: CreateBrandBody,
  idempotency: 'optional',
  bodyExample: { name: 'Maison Aurore', settings: { currency: 'EUR', low_stock_threshold: 5 } },
  responses: { 201: { description: 'The new brand.', schema: BrandWire, example: brandExample } },
  handle: async (tx, { body }) => {
    const brand = await createBrand(tx, { name: body.name, settings: settingsFromWire(body.settings) });
    return { status: 201, body: brandToWire(brand) };
  },
});

const updateBrandOperation = writeOperation({
  id: 'updateBrand',
  method: 'PATCH',
  path: '/brands/:id',
  tag: 'Brands',
  summary: 'Update a brand',
  description:
    'Updates the name or settings; omitted fields are left unchanged. `stale_after_hours: null` disables staleness. An update that changes no value leaves `updated_at` unchanged. With `If-Match`, a brand that somebody has changed since you read it is not changed: 412 `precondition_failed`.',
  access: 'one-brand',
  params: BrandParams,
  body: UpdateBrandBody,
  takesIfMatch: true,
  bodyExample: { settings: { low_stock_threshold: 10, stale_after_hours: 48 } },
  responses: {
    200: {
      description: 'The updated brand.',
      schema: BrandWire,
      headers: tagHeaders,
      example: {
        ...brandExample,
        settings: { ...brandExample.settings, low_stock_threshold: 10, stale_after_hours: 48 },
        updated_at: '2026-03-02T10:00:00.000Z',
      },
    },
  },
  errors: ['precondition_failed'],
  handle: async (tx, { params, body, ifMatch }) => {
    const { name } = body;
    const change = { ...(name !== undefined && { name }), settings: settingsFromWire(body.settings) };
    const brand = await updateBrand(tx, brandIdFromPath(params.id), change, ifMatch);
    return { status: 200, headers: { etag: brandTag(brand) }, body: brandToWire(brand) };
  },
});

export const brandOperations: readonly Operation[] = [createBrandOperation, updateBrandOperation];

interface NewBrand {
  readonly name: string;
  /** Absent settings take their defaults. */
  readonly settings?: Partial<BrandSettings>;
}

export async function createBrand(tx: AuditedTransaction, { name, settings }: NewBrand): Promise<Brand> {
  const brand = await insertBrand(tx, name, { ...defaultSettings, ...settings });
  await recordAudit(tx, {
    action: 'brand.create',
    brandId: brand.id,
    resourceType: 'brand',
    resourceId: String(brand.id),
    details: { name },
  });
  return brand;
}

/** @throws ApiError `not_found` */
export async function getBrand(database: Queryable, id: number): Promise<Brand> {
  const brand = await findBrand(database, id);
  if (brand === null) throw notFound();
  return brand;
}

/**
 * If no value differs, nothing is written: no new `updated_at`, no audit entry.
 * @param ifMatch the header; undefined: any state is changed
 * @throws ApiError `not_found`; `precondition_failed` if the brand has changed
 */
async function updateBrand(
  tx: AuditedTransaction,
  id: number,
  change: BrandChange,
  ifMatch?: string,
): Promise<Brand> {
  const before = await lockBrand(tx, id);
  if (before === null) throw notFound();
  if (ifMatch !== undefined && !isMatched(brandTag(before), ifMatch))
    throw new ApiError('precondition_failed');
  const wanted = changedBrand(before, change);
  const changes = brandDifference(before, wanted);
  if (Object.keys(changes).length === 0) return before;
  const after = await updateBrandRow(tx, wanted);
  await recordAudit(tx, {
    action: 'brand.update',
    brandId: id,
    resourceType: 'brand',
    resourceId: String(id),
    details: { changes },
  });
  return after;
}
