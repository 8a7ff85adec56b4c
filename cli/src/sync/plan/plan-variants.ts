import {
  cellValue,
  type EmbeddedVariant,
  type ProductListItem,
  type ProductUpdate,
  type VariantUpdate,
} from '@brandport/client';
import type { Place } from '../../input/input-rows.ts';
import type {
  WantedFields,
  WantedProduct,
  WantedSelection,
  WantedVariant,
  WantedVersions,
} from '../wanted/wanted.ts';

/** The most combinations that the service generates. */
const mostCombinations = 500;

interface VariantsInput {
  readonly productSku: string;
  /** The selection that the product has when its variants are written. */
  readonly selection: WantedSelection;
  readonly stored: readonly EmbeddedVariant[];
  readonly wanted: readonly WantedVariant[];
  readonly wantsAll: boolean;
  readonly template: string | null;
  /** The row of the product, for its problems. */
  readonly place: Place | string;
}

interface VariantsPlan {
  readonly generate: {
    readonly template: string | null;
    readonly activate: boolean;
    readonly creates: number;
  } | null;
  readonly create: readonly WantedVariant[];
  readonly update: readonly {
    readonly place: Place | string;
    readonly axisValues: Readonly<Record<string, string>>;
    readonly body: VariantUpdate;
  }[];
  readonly same: number;
  /** The SKUs of the generated variants. */
  readonly generatedSkus: readonly string[];
  readonly problems: readonly { readonly place: Place | string; readonly message: string }[];
}

/** A generation, and the writes after it that give each variant what its row wants. */
interface Generation {
  readonly template: string | null;
  readonly activate: boolean;
  readonly skus: readonly string[];
  readonly updates: VariantsPlan['update'];
}

/**
 * Compares the variants of a product with its rows, and chooses between creating variants one by one and generating all
 * missing combinations with one request: the way with fewer requests.
 */
export function planVariants(input: VariantsInput): VariantsPlan {
  const problems: { place: Place | string; message: string }[] = [];
  const update: VariantsPlan['update'][number][] = [];
  const { stored, wanted, selection } = input;
  const bySku = new Map(stored.map((variant) => [variant.sku, variant]));
  const byCombination = new Map(stored.map((variant) => [combinationKey(variant.axis_values), variant]));
  const create = new Map<string, WantedVariant>();
  const seen = new Set<string>();
  let same = 0;
  for (const one of wanted) {
    const key = combinationKey(one.axisValues);
    const known = bySku.get(one.sku) ?? byCombination.get(key);
    const problem = problemOf(one, { isRepeated: seen.has(key), selection, known });
    seen.add(key);
    if (problem !== null) problems.push({ place: one.place, message: problem });
    else if (known === undefined) create.set(key, one);
    else {
      const body = variantChanges(one, known);
      if (body === null) same += 1;
      else update.push({ place: one.place, axisValues: known.axis_values, body });
    }
  }
  const total = countCombinations(selection);
  if (input.wantsAll && total > mostCombinations)
    problems.push({
      place: input.place,
      message: `its selection has ${total} combinations; at most 500 are generated`,
    });
  if (input.wantsAll && total === 0)
    problems.push({ place: input.place, message: 'it wants all variants, and selects no axes' });
  const missing =
    total === 0 || total > mostCombinations
      ? []
      : combinations(selection).filter((values) => !byCombination.has(combinationKey(values)));
  const generation =
    missing.length === 0 || problems.length > 0 ? null : chooseGeneration(input, missing, create);
  return {
    generate:
      generation === null
        ? null
        : { template: generation.template, activate: generation.activate, creates: missing.length },
    create: generation === null ? [...create.values()] : [],
    update: generation === null ? update : [...update, ...generation.updates],
    same,
    generatedSkus: generation?.skus ?? [],
    problems,
  };
}

function problemOf(
  { sku, axisValues }: WantedVariant,
  {
    isRepeated,
    selection,
    known,
  }: { isRepeated: boolean; selection: WantedSelection; known: EmbeddedVariant | undefined },
): string | null {
  if (isRepeated) return 'another row of the product has the same axis values';
  if (known !== undefined && combinationKey(known.axis_values) !== combinationKey(axisValues))
    return `${sku} is stored with other axis values, which cannot change`;
  for (const { code, values } of selection) {
    const value = Object.hasOwn(axisValues, code) ? axisValues[code] : undefined;
    if (value === undefined || value === '') return `it has no value of the axis "${code}"`;
    if (!values.includes(value))
      return `its product does not select the value "${value}" of the axis "${code}"`;
  }
  const foreign = Object.keys(axisValues).find((code) => !selection.some((axis) => axis.code === code));
  return foreign === undefined ? null : `its product does not select the axis "${foreign}"`;
}

/** Returns null if creating the variants one by one takes no more requests. */
function chooseGeneration(
  input: VariantsInput,
  missing: readonly Readonly<Record<string, string>>[],
  create: ReadonlyMap<string, WantedVariant>,
): Generation | null {
  const { productSku, selection, wantsAll, template: given } = input;
  if (!wantsAll && create.size < missing.length) return null;
  const rows = [...create.values()];
  const codes = selection.map(({ code }) => code);
  const template =
    given ?? findTemplate(productSku, codes, rows) ?? (wantsAll ? defaultTemplate(codes) : null);
  if (template === null) return null;
  // The value that most rows want saves most changes afterwards.
  const activate = wantsAll || rows.filter(({ isActive }) => isActive === true).length * 2 > rows.length;
  const updates = missing.flatMap((axisValues) => {
    const row = create.get(combinationKey(axisValues));
    if (row === undefined) return [];
    const generated = {
      sku: renderSku(template, productSku, axisValues),
      price: { value: 0, currency: '', inherited: true },
      barcode: null,
      is_active: activate,
    };
    const body = variantChanges(
      { ...row, isActive: row.isActive ?? (wantsAll ? undefined : false) },
      generated,
    );
    return body === null ? [] : [{ place: row.place, axisValues, body }];
  });
  if (!wantsAll && 1 + updates.length >= rows.length) return null;
  const skus = missing.map((axisValues) => renderSku(template, productSku, axisValues));
  return { template: template === defaultTemplate(codes) ? null : template, activate, skus, updates };
}

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
function variantChanges(
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

type AxisValues = Readonly<Record<string, string>>;

/** The template that the service uses without one. */
function defaultTemplate(codes: readonly string[]): string {
  return ['{sku}', ...codes.map((code) => `{${code}}`)].join('-');
}

/** Returns the SKU that a generation gives a combination. */
function renderSku(template: string, productSku: string, axisValues: AxisValues): string {
  return template.replaceAll(/\{([^{}]*)\}/g, (_match, name: string) =>
    name === 'sku' ? productSku : (axisValues[name] ?? ''),
  );
}

/**
 * Finds a template that gives each of the combinations its SKU: the default one, or one that replaces the product's SKU
 * and the values in a SKU by placeholders. null if there is none.
 */
function findTemplate(
  productSku: string,
  codes: readonly string[],
  variants: readonly { readonly sku: string; readonly axisValues: AxisValues }[],
): string | null {
  const [first] = variants;
  if (first === undefined) return null;
  const fits = (template: string) =>
    variants.every(({ sku, axisValues }) => renderSku(template, productSku, axisValues) === sku);
  return [defaultTemplate(codes), ...inferred(productSku, codes, first)].find(fits) ?? null;
}

/** Longer values are replaced first, so that `S` does not take a letter of `XS` or of the product's SKU. */
function inferred(
  productSku: string,
  codes: readonly string[],
  { sku, axisValues }: { readonly sku: string; readonly axisValues: AxisValues },
): string[] {
  if (/[{}]/.test(sku)) return [];
  const names: [string, string][] = [
    [productSku, '{sku}'],
    ...codes.map((code): [string, string] => [axisValues[code] ?? '', `{${code}}`]),
  ];
  const replaced = (order: readonly [string, string][]) =>
    order.reduce(
      (parts, [value, placeholder]) =>
        parts.flatMap((part) => (isPlaceholder(part) ? [part] : split(part, value, placeholder))),
      [sku],
    );
  const byLength = names.toSorted(([a], [b]) => b.length - a.length);
  return [replaced(byLength), replaced(names)].map((parts) => parts.join(''));
}

function split(text: string, value: string, placeholder: string): string[] {
  const at = value === '' ? -1 : text.lastIndexOf(value);
  if (at < 0) return [text];
  return [text.slice(0, at), placeholder, text.slice(at + value.length)].filter((part) => part !== '');
}

function isPlaceholder(part: string): boolean {
  return part.startsWith('{');
}

/** Returns all combinations of a selection, the first axis slowest. */
function combinations(selection: WantedSelection): Record<string, string>[] {
  return selection.reduce<Record<string, string>[]>(
    (rows, { code, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [code]: value }))),
    [{}],
  );
}

function countCombinations(selection: WantedSelection): number {
  return selection.length === 0 ? 0 : selection.reduce((count, { values }) => count * values.length, 1);
}
