import { ApiError, notFound } from '../../errors/api-error.ts';
import type { CatalogTransaction } from '../../postgres/transaction.ts';
import { beginCatalogChange, lockCatalog, noteAxesChange } from '../brand-catalog-store.ts';
import { withReferences } from '../broken-reference.ts';
import { FieldProblems } from '../field-problems.ts';
import { type AxisFields, changesNoField, checkRepeatedValues, type NewAxis, withPositions } from './axis.ts';
import { deleteAxisRow, findAxisId, insertAxis, isAxisInUse, lockAxis, updateAxis } from './axis-store.ts';
import { insertAxisValues } from './axis-value-store.ts';

const axisInUse = () => new ApiError('axis_in_use');

/**
 * Adds an axis, with or without values, to the brand's library. Takes the brand's catalog lock, so that two concurrent
 * creations do not get the same position. Concurrent creations with one code: exactly one succeeds.
 * @throws ApiError `validation_failed` for a value that is given twice, `duplicate_axis_code`
 */
export async function createAxis(tx: CatalogTransaction, axis: NewAxis): Promise<void> {
  const problems = new FieldProblems();
  checkRepeatedValues(axis.values, problems);
  problems.throwIfAny();
  const write = await beginCatalogChange(tx);
  const id = await insertAxis(write, axis);
  if (id === null) throw new ApiError('duplicate_axis_code');
  if (axis.values.length > 0) await insertAxisValues(write, id, withPositions(axis.values));
  await noteAxesChange(write);
}

/**
 * Writes the given fields of an axis and leaves the others. Writing the current values changes nothing, not even
 * `updated_at` [D8]. Takes the brand's catalog lock: products show the label, so the brand's axes version changes.
 * @throws ApiError `not_found`
 */
export async function changeAxis(
  tx: CatalogTransaction,
  code: string,
  changes: Partial<AxisFields>,
): Promise<void> {
  const lock = await lockCatalog(tx);
  const axis = await lockAxis(lock, code);
  if (axis === null) throw notFound();
  if (changesNoField(axis, changes)) return;
  await updateAxis(lock, axis.id, { ...axis, ...changes });
  await noteAxesChange(lock);
}

/**
 * Deletes an axis with its values; its code is free again. Takes the brand's catalog lock, as does every operation that
 * could start to use the axis.
 * @throws ApiError `not_found`; `axis_in_use` while it is attached to a product or a live variant carries one of its
 *   values [catalog-35]
 */
export async function deleteAxis(tx: CatalogTransaction, code: string): Promise<void> {
  const write = await beginCatalogChange(tx);
  const id = await findAxisId(write, code);
  if (id === null) throw notFound();
  if (await isAxisInUse(write, id)) throw axisInUse();
  await withReferences(deleteAxisRow(write, id), {
    product_axes_axis: axisInUse,
    product_axis_values_value: axisInUse,
    variant_axis_values_value: axisInUse,
  });
  await noteAxesChange(write);
}
