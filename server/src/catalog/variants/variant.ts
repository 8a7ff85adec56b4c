import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import { columnList } from '../../postgres/column-list.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../catalog-requests.ts';
import { type SkuHolder, takenSku } from '../skus/sku-store.ts';
import type { AvailabilitySettings, StockSum } from '../stock/availability.ts';
import { type AxisValues, combinationOf, combinationReader } from './combination.ts';

export interface VariantFields {
  readonly sku: string;
  readonly barcode: string | null;
  /** Exact to 4 decimal places; null: the product's price. */
  readonly priceValue: number | null;
  readonly isActive: boolean;
}

/** The columns of `variants` that clients set, by field: the one list from which statements and rows are made. */
export const variantFields = columnList<VariantFields>({
  sku: { column: 'sku', sqlType: 'text' },
  barcode: { column: 'barcode', sqlType: 'text' },
  priceValue: { column: 'price_value', sqlType: 'numeric' },
  isActive: { column: 'is_active', sqlType: 'boolean' },
});

const defaults: Omit<VariantFields, 'sku'> = {
  barcode: null,
  priceValue: null,
  isActive: false,
};

export interface Variant extends VariantFields {
  readonly id: number;
  readonly tuId: string;
  /** Axis code -> value, in the product's order of axes; never changes. */
  readonly axisValues: AxisValues;
  readonly position: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** The values of the parent product that a variant shows. */
export interface VariantParent {
  readonly tuId: string;
  readonly priceValue: number;
  readonly priceCurrency: string;
  readonly availabilitySettings: AvailabilitySettings;
}

export interface VariantView extends Variant {
  readonly stock: StockSum;
}

export const noVariantStock: StockSum = { levels: 0, countedLevels: 0, available: 0, freshAt: null };

/** Computed on each read, so that a change of the product's price shows in every inheriting variant at once [catalog-53]. */
export function variantPrice(
  { priceValue }: Pick<VariantFields, 'priceValue'>,
  parent: Pick<VariantParent, 'priceValue' | 'priceCurrency'>,
) {
  return {
    value: priceValue ?? parent.priceValue,
    currency: parent.priceCurrency,
    inherited: priceValue === null,
  };
}

/** The fields of a creation; absent ones get defaults. */
export type NewVariant = Pick<VariantFields, 'sku'> &
  Partial<VariantFields> & { readonly axisValues: AxisValues };

export interface CreatedVariant {
  readonly variant: VariantView;
  /** In the form that `combinationOf` returns. */
  readonly combination: string;
}

/** The selection of a product and its variants before another is created. */
export interface VariantsBefore {
  readonly selection: AxisSelection;
  /** The combination that the axis values name, if a live variant has it. */
  readonly takenCombination: string | null;
  /** The largest position of the live variants; -1 if there are none. */
  readonly lastPosition: number;
}

export interface VariantIds {
  readonly id: number;
  readonly tuId: string;
}

/** The caller of a write, who holds the SKU that it names, and the stamp, which is taken if it is not refused. */
interface VariantWrite {
  readonly caller: Caller;
  readonly holder: SkuHolder | null;
  readonly stamp: () => Date;
}

/**
 * @throws ApiError `validation_failed` on `axis_values`, `duplicate_sku`, then `conflict` for a combination that a live variant
 *   has [catalog-51] [catalog-52]
 */
export function newVariant(
  { axisValues, ...given }: NewVariant,
  ids: VariantIds,
  { selection, takenCombination, lastPosition }: VariantsBefore,
  { caller, holder, stamp }: VariantWrite,
): CreatedVariant {
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();
  if (holder !== null) throw takenSku(caller, holder);
  if (combination === takenCombination)
    throw new ApiError('conflict', { message: 'A variant with these axis values already exists.' });
  const place = {
    axisValues: combinationReader(selection)(combination),
    position: lastPosition + 1,
    stampedAt: stamp(),
  };
  return { variant: createdVariant(given, ids, place), combination };
}

/** Returns a variant with defaults for the fields that are not given. */
export function createdVariant(
  given: Omit<NewVariant, 'axisValues'>,
  { id, tuId }: VariantIds,
  {
    axisValues,
    position,
    stampedAt,
  }: Pick<Variant, 'axisValues' | 'position'> & { readonly stampedAt: Date },
): VariantView {
  return {
    ...defaults,
    ...given,
    id,
    tuId,
    axisValues,
    position,
    createdAt: stampedAt,
    updatedAt: stampedAt,
    stock: noVariantStock,
  };
}

/**
 * Returns the same object if the fields are its current values, so that not even `updated_at` changes [D8].
 * @throws ApiError `duplicate_sku`
 */
export function changedVariant<T extends VariantFields>(
  present: T,
  changes: Partial<VariantFields>,
  { caller, holder, stamp }: VariantWrite,
): T {
  const isSame = Object.entries(changes).every(
    ([field, value]) => present[field as keyof VariantFields] === value,
  );
  if (isSame) return present;
  if (holder !== null && changes.sku !== undefined && changes.sku !== present.sku)
    throw takenSku(caller, holder);
  return { ...present, ...changes, updatedAt: stamp() };
}
