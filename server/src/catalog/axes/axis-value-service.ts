import { ApiError, notFound } from '../../errors/api-error.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { beginCatalogChange, lockCatalog, noteAxesChange } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import { type AxisFields, type AxisValue, changesNoField, type NewAxisValue } from './axis.ts';
import { findAxisId } from './axis-store.ts';
import {
  deleteAxisValueRow,
  insertAxisValue,
  isAxisValueInUse,
  lockAxisValue,
  updateAxisValue,
} from './axis-value-store.ts';

const valueInUse = () => new ApiError('value_in_use');

/**
 * Adds a value to an axis. Takes the brand's catalog lock, so that two concurrent creations do not get the same
 * position. Concurrent creations of one value: exactly one succeeds.
 * @throws ApiError `not_found` when the brand has no such axis, `duplicate_axis_value`
 */
export async function createAxisValue(
  tx: CatalogTransaction,
  code: string,
  value: NewAxisValue,
): Promise<AxisValue> {
  const write = await beginCatalogChange(tx);
  const axisId = await findAxisId(write, code);
  if (axisId === null) throw notFound();
  const created = await insertAxisValue(write, axisId, value);
  if (created === null) throw new ApiError('duplicate_axis_value');
  await noteAxesChange(write);
  return created;
}

/**
 * Writes the given fields of a value and leaves the others. Writing the current values changes nothing, not even
 * `updated_at` [D8]. Takes the brand's catalog lock: products show the label, so the brand's axes version changes.
 * @throws ApiError `not_found`
 */
export async function changeAxisValue(
  tx: CatalogTransaction,
  code: string,
  value: string,
  changes: Partial<AxisFields>,
): Promise<AxisValue> {
  const lock = await lockCatalog(tx);
  const present = await lockAxisValue(lock, code, value);
  if (present === null) throw notFound();
  if (changesNoField(present, changes)) return present;
  const changed = await updateAxisValue(lock, present, { ...present, ...changes });
  await noteAxesChange(lock);
  return changed;
}

/**
 * Deletes a value; it is free again. Takes the brand's catalog lock, as does every operation that could start to use
 * the value.
 * @throws ApiError `not_found`; `value_in_use` while a product selects it or a live variant carries it [catalog-36]
 */
export async function deleteAxisValue(tx: CatalogTransaction, code: string, value: string): Promise<void> {
  const write = await beginCatalogChange(tx);
  const present = await lockAxisValue(write, code, value);
  if (present === null) throw notFound();
  if (await isAxisValueInUse(write, present)) throw valueInUse();
  await withReferences(deleteAxisValueRow(write, present), {
    product_axis_values_value: valueInUse,
    variant_axis_values_value: valueInUse,
  });
  await noteAxesChange(write);
}
