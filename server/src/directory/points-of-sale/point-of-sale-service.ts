import { getBrand } from '../../brands/brand-service.ts';
import { invalidField, notFound } from '../../errors/api-error.ts';
import type { AuditedTransaction } from '../../postgres/transaction.ts';
import { invalidItems } from '../directory-wire.ts';
import { upsertNamedItems } from '../named-item-store.ts';
import { recordDeletion, recordUpsert } from '../record-change.ts';
import {
  attachPointsOfSale,
  deletePointOfSale,
  findUnknownLocations,
  type PointOfSaleItem,
} from './point-of-sale-store.ts';

/** @throws ApiError `not_found` if there is no such brand; `validation_failed` for a location that is unknown or named twice */
export async function putPointsOfSale(
  tx: AuditedTransaction,
  brandId: number,
  items: readonly PointOfSaleItem[],
): Promise<void> {
  await getBrand(tx, brandId);
  const attachments = items.flatMap(({ tuId, location }) =>
    location === undefined ? [] : [{ tuId, location }],
  );
  await requireKnownLocations(tx, brandId, items);
  await upsertNamedItems(tx, 'points_of_sale', brandId, items);
  if (attachments.length > 0) await attachPointsOfSale(tx, brandId, attachments);
  await recordUpsert(tx, brandId, 'point_of_sale', items);
}

async function requireKnownLocations(
  tx: AuditedTransaction,
  brandId: number,
  items: readonly PointOfSaleItem[],
): Promise<void> {
  const firstIndexes = new Map<string, number>();
  items.forEach(({ location }, index) => {
    if (location === undefined || location === null) return;
    if (firstIndexes.has(location))
      throw invalidField(`items.${index}.location`, 'is assigned to two points of sale');
    firstIndexes.set(location, index);
  });
  if (firstIndexes.size === 0) return;
  const unknown = await findUnknownLocations(tx, brandId, [...firstIndexes.keys()]);
  if (unknown.size === 0) return;
  const indexes = [...firstIndexes].flatMap(([code, index]) => (unknown.has(code) ? [index] : []));
  throw invalidItems(indexes, 'location', 'is not a location of the brand');
}

/** @throws ApiError `not_found` */
export async function removePointOfSale(
  tx: AuditedTransaction,
  brandId: number,
  tuId: string,
): Promise<void> {
  if (!(await deletePointOfSale(tx, brandId, tuId))) throw notFound();
  await recordDeletion(tx, brandId, 'point_of_sale', tuId);
}
