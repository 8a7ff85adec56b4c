import {
  cellValue,
  type EmbeddedVariant,
  type ProductListItem,
  type ProductUpdate,
  type VariantUpdate,
} from '@brandport/client';
import type { WantedFields, WantedProduct, WantedVariant, WantedVersions } from '../wanted/wanted.ts';

type StoredFields = Partial<ProductListItem> & Pick<ProductListItem, 'versions'>;

/** Returns the fields to write, with the whole map of `versions` if one of its texts differs; null if none. */
export function productChanges(
  { fields, versions }: Pick<WantedProduct, 'fields' | 'versions'>,
  stored: StoredFields,
): ProductUpdate | null {
  const changed = Object.entries(fields).filter(
    ([name, value]) => !isSame(value, stored[name as keyof WantedFields]),
  );
  const merged = mergedVersions(versions, stored.versions);
  if (changed.length === 0 && merged === null) return null;
  return { ...Object.fromEntries(changed), ...(merged !== null && { versions: merged }) };
}

/**
 * Adds texts to stored ones, or removes them; null if nothing changes. A PATCH replaces the whole map, so it has to have all. A
 * language without texts is removed.
 */
function mergedVersions(wanted: WantedVersions, stored: ProductListItem['versions']) {
  const merged: Record<string, Record<string, string | undefined>> = { ...stored };
  // Tags are compared without case; the stored form stays.
  const tagOf = new Map(Object.keys(stored).map((tag) => [tag.toLowerCase(), tag]));
  let isChanged = false;
  for (const [given, texts] of Object.entries(wanted)) {
    const tag = tagOf.get(given.toLowerCase()) ?? given;
    for (const [field, text] of Object.entries(texts)) {
      if (isSame(text ?? undefined, merged[tag]?.[field])) continue;
      isChanged = true;
      const { [field]: _, ...others } = merged[tag] ?? {};
      merged[tag] = text === null ? others : { ...others, [field]: text };
      if (Object.keys(merged[tag]).length === 0) delete merged[tag];
    }
  }
  return isChanged ? merged : null;
}

/** Returns the fields of a variant to write; null if none. */
export function variantChanges(
  { sku, price, barcode, isActive }: Pick<WantedVariant, 'sku' | 'price' | 'barcode' | 'isActive'>,
  stored: Pick<EmbeddedVariant, 'sku' | 'price' | 'barcode' | 'is_active'>,
): VariantUpdate | null {
  const storedPrice = stored.price.inherited ? null : stored.price.value;
  const changes: VariantUpdate = {
    ...(sku !== stored.sku && { sku }),
    ...(price !== undefined && price !== storedPrice && { price: { value: price } }),
    ...(barcode !== undefined && !isSame(barcode, stored.barcode) && { barcode }),
    ...(isActive !== undefined && isActive !== stored.is_active && { is_active: isActive }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

/** Compares without the white space around strings: the service keeps it in texts, and CSV is read without it. */
function isSame(wanted: unknown, stored: unknown): boolean {
  const [one, other] = [wanted, stored].map((value) =>
    typeof value === 'string' ? (cellValue(value) ?? '') : value,
  );
  return one === other;
}

/** Identifies the combination of a variant, regardless of the order of its axes. */
export function combinationKey(axisValues: Readonly<Record<string, string>>): string {
  const codes = Object.keys(axisValues).sort();
  return JSON.stringify(codes.map((code) => [code, axisValues[code]]));
}
