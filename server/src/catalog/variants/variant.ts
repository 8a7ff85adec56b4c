import type { Caller } from '../../api/access.ts';
import { ApiError } from '../../errors/api-error.ts';
import { columnList } from '../../postgres/column-list.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../catalog-requests.ts';
import { type SkuHolder, takenSku } from '../skus/sku-store.ts';
import type { AvailabilitySettings, StockSum } from '../stock/stock-level.ts';

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

/** Axis code -> value, as requests and responses carry a combination. */
export type AxisValues = Readonly<Record<string, string>>;

interface Variant extends VariantFields {
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

/**
 * The single check of a combination: each axis of the selection has exactly one of its selected values, and there is no other
 * key [catalog-50]. Without problems, returns the stored form: "axis id:value id" by axis id, separated by commas.
 */
export function combinationOf(
  axisValues: AxisValues,
  selection: AxisSelection,
  problems: FieldProblems,
): string {
  if (selection.length === 0)
    problems.add('axis_values', 'must be empty because the product has no axis selection');
  const codes = new Set(selection.map(({ code }) => code));
  for (const code of Object.keys(axisValues))
    if (!codes.has(code) && selection.length > 0)
      problems.add(`axis_values.${code}`.slice(0, 500), 'is not an axis that the product selects');
  const pairs: (readonly [axisId: number, valueId: number])[] = [];
  for (const { id, code, values } of selection) {
    const wanted = Object.hasOwn(axisValues, code) ? axisValues[code] : undefined;
    const chosen = values.find(({ value }) => value === wanted);
    if (wanted === undefined) problems.add(`axis_values.${code}`, 'is required');
    else if (chosen === undefined)
      problems.add(`axis_values.${code}`, 'is not a value that the product selects');
    else pairs.push([id, chosen.id]);
  }
  return pairs
    .sort(([a], [b]) => a - b)
    .map(([axisId, valueId]) => `${axisId}:${valueId}`)
    .join(',');
}

/**
 * Returns a parser of stored combinations. The selection contains every axis and value that a live variant carries: neither can
 * be removed from it [catalog-46] [catalog-47].
 */
export function combinationReader(selection: AxisSelection): (combination: string) => AxisValues {
  const axes = selection.map(({ id, code, values }) => ({
    id: String(id),
    code,
    values: new Map(values.map((selected) => [String(selected.id), selected.value])),
  }));
  return (combination) => {
    const carried = new Map(
      combination.split(',').map((pair) => pair.split(':') as [axisId: string, valueId: string]),
    );
    return Object.fromEntries(
      axes.flatMap(({ id, code, values }) => {
        const value = values.get(carried.get(id) ?? '');
        return value === undefined ? [] : [[code, value]];
      }),
    );
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
  const variant = createdVariant(given, ids, {
    axisValues: combinationReader(selection)(combination),
    position: lastPosition + 1,
    stampedAt: stamp(),
  });
  return { variant, combination };
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
