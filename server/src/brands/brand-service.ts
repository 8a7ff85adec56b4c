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

export interface NewBrand {
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
export async function updateBrand(
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
