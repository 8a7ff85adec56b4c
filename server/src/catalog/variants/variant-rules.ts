import type { Caller } from '../../api/scopes.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { AxisSelection } from '../axis-selection/axis-selection.ts';
import { FieldProblems } from '../field-problems.ts';
import { type SkuHolder, takenSku } from '../skus/sku-claim-store.ts';
import { type AxisValues, combinationOf, combinationReader } from './combination.ts';
import type { GenerationCandidate } from './generation.ts';
import { noVariantStock, type VariantFields, type VariantView } from './variant.ts';

/** The fields of a creation; absent ones get defaults, `tuId` a new id. */
export type NewVariant = Pick<VariantFields, 'sku'> &
  Partial<VariantFields> & { readonly axisValues: AxisValues; readonly tuId?: string };

const defaults: Omit<VariantFields, 'sku'> = {
  barcode: null,
  priceValue: null,
  isActive: false,
};

export interface NewVariantResult {
  readonly variant: VariantView;
  readonly combination: string;
}

export interface NewVariantGround {
  readonly caller: Caller;
  readonly id: number;
  readonly tuId: string;
  readonly selection: AxisSelection;
  readonly holder: SkuHolder | null;
  readonly isTaken: (combination: string) => boolean;
  /** The largest position of the product's live variants; -1 if there are none. */
  readonly lastPosition: number;
  readonly stamp: () => Date;
}

/**
 * @throws ApiError `validation_failed` on `axis_values`, `duplicate_sku`, then `conflict` for a combination that a live variant
 *   has [catalog-51] [catalog-52]
 */
export function newVariant(
  { sku, axisValues, tuId: _, ...given }: NewVariant,
  ground: NewVariantGround,
): NewVariantResult {
  const { caller, id, tuId, selection, holder, isTaken, lastPosition, stamp } = ground;
  const problems = new FieldProblems();
  const combination = combinationOf(axisValues, selection, problems);
  problems.throwIfAny();
  if (holder !== null) throw takenSku(caller, holder);
  if (isTaken(combination))
    throw new ApiError('conflict', { message: 'A variant with these axis values already exists.' });
  const stampedAt = stamp();
  const variant = {
    id,
    tuId,
    sku,
    ...defaults,
    ...given,
    axisValues: combinationReader(selection)(combination),
    position: lastPosition + 1,
    createdAt: stampedAt,
    updatedAt: stampedAt,
    stock: noVariantStock,
  };
  return { variant, combination };
}

/** The facts that the variants of a generation are made with; lists are in the order of its candidates. */
export interface GeneratedGround {
  readonly selection: AxisSelection;
  /** The holder of each candidate's SKU; null where it is free. */
  readonly holders: readonly (SkuHolder | null)[];
  readonly ids: readonly { readonly id: number; readonly tuId: string }[];
  readonly lastPosition: number;
  readonly isActive: boolean;
  readonly stamp: () => Date;
}

/** Returns a variant for each candidate, in order. @throws ApiError `conflict` if one of the SKUs is taken [catalog-66] */
export function generatedVariants(
  candidates: readonly GenerationCandidate[],
  { selection, holders, ids, lastPosition, isActive, stamp }: GeneratedGround,
): NewVariantResult[] {
  const refused = candidates.find((_, index) => (holders[index] ?? null) !== null);
  if (refused !== undefined)
    throw new ApiError('conflict', {
      message: `The SKU ${refused.sku} is already in use. Nothing was created.`,
    });
  if (candidates.length === 0) return [];
  const stampedAt = stamp();
  const axisValuesOf = combinationReader(selection);
  return candidates.map(({ sku, combination }, index) => {
    const { id, tuId } = ids[index] as GeneratedGround['ids'][number];
    const variant = {
      ...defaults,
      id,
      tuId,
      sku,
      isActive,
      axisValues: axisValuesOf(combination),
      position: lastPosition + 1 + index,
      createdAt: stampedAt,
      updatedAt: stampedAt,
      stock: noVariantStock,
    };
    return { variant, combination };
  });
}

/**
 * Returns the same object if the fields are its current values, so that not even `updated_at` changes [D8].
 * @throws ApiError `duplicate_sku`
 */
export function changedVariant<T extends VariantFields>(
  present: T,
  changes: Partial<VariantFields>,
  { caller, holder, stamp }: Pick<NewVariantGround, 'caller' | 'holder' | 'stamp'>,
): T {
  const isSame = Object.entries(changes).every(
    ([field, value]) => present[field as keyof VariantFields] === value,
  );
  if (isSame) return present;
  if (holder !== null && changes.sku !== undefined && changes.sku !== present.sku)
    throw takenSku(caller, holder);
  return { ...present, ...changes, updatedAt: stamp() };
}
