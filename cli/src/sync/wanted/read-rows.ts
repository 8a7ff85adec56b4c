import type { BodyProblem } from '@brandport/client';
import type { RowReader } from '../../input/row-reader.ts';
import type {
  WantedAxisRow,
  WantedLevel,
  WantedLocation,
  WantedProduct,
  WantedSelection,
  WantedVariant,
  WantedVersions,
} from './wanted.ts';

type Path = BodyProblem['path'];

const fieldNames = [
  'title',
  'short_description',
  'price_value',
  'price_currency',
  'tax_class',
  'is_active',
  'default_language',
] as const;

/** Reads a row of products. What the service would refuse is a problem of the row; its values are as in the file. */
export function readProduct(reader: RowReader): WantedProduct {
  const sku = reader.raw('sku') as string;
  const fields = Object.fromEntries(
    fieldNames.filter((name) => reader.has(name)).map((name) => [name, reader.raw(name)]),
  );
  const versions = readLanguages(reader);
  const texts = Object.entries(versions).map(([tag, of]) => [
    tag,
    Object.fromEntries(Object.entries(of).filter(([, text]) => text !== null)),
  ]);
  const body = { sku, ...fields, versions: Object.fromEntries(texts) };
  reader.check('ProductCreate', body, ([first, tag, field = 'title']: Path) =>
    first === 'versions' ? `${field}:${tag}` : String(first),
  );
  const selection = readSelection(reader);
  const variants = reader.raw('variants');
  if (variants !== undefined && variants !== 'all')
    reader.refuse(
      `variants ${JSON.stringify(variants).slice(0, 60)} is not "all"; other variants are rows with product_sku, sku and axes`,
    );
  const skuTemplate = (reader.raw('sku_template') as string | undefined) ?? null;
  if (skuTemplate !== null) reader.check('VariantGenerate', { sku_template: skuTemplate });
  const { file, line } = reader.row;
  const wantsAllVariants = variants === 'all';
  return { place: { file, line }, sku, fields, versions, selection, wantsAllVariants, skuTemplate };
}

/**
 * Reads the texts of languages: columns such as `title:sv`, or `versions` of JSON as the API has it; null removes one. A tag
 * that occurs in two forms, as `sv` and `SV`, is a problem.
 */
function readLanguages(reader: RowReader): WantedVersions {
  // Without a prototype: a file may name any tag.
  const versions: Record<string, Record<string, string | null>> = Object.create(null);
  const add = (tag: string, field: string, text: unknown) => {
    versions[tag] = { ...versions[tag], [field]: text as string | null };
  };
  for (const name of reader.names) {
    const [, field, tag] = /^(title|short_description):(.+)$/s.exec(name) ?? [];
    if (field !== undefined && tag !== undefined) add(tag, field, reader.raw(name));
  }
  const given = reader.raw('versions') ?? {};
  if (!isObject(given)) reader.refuse('versions is not an object of language tags and texts');
  else
    for (const [tag, texts] of Object.entries(given))
      if (texts === null) for (const field of ['title', 'short_description']) add(tag, field, null);
      else if (!isObject(texts)) reader.refuse(`versions.${tag} is not an object of texts`);
      else for (const [field, text] of Object.entries(texts)) add(tag, field, text);
  const tags = Object.keys(versions);
  if (new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length)
    reader.refuse(`two of the languages ${tags.join(', ')} differ only in case`);
  return versions;
}

/** Reads columns such as `axis:color` with `red|blue`, or `axes` of JSON: `{ "color": ["red", "blue"] }`. */
function readSelection(reader: RowReader): WantedSelection | null {
  const given: [code: string, values: unknown][] = axisColumns(reader).map(([code, values]) => [
    code,
    String(values).split('|'),
  ]);
  const axes = reader.raw('axes') ?? {};
  if (!isObject(axes))
    return reader.refuse('axes is not an object of axis codes and lists of values') ?? null;
  given.push(...Object.entries(axes));
  if (given.length === 0) return null;
  const selection = given.map(([code, values]) => ({ code, values: cleaned(values) as string[] }));
  reader.check(
    'ProductAxesReplace',
    { axes: selection },
    ([, index]) => `axis:${given[index as number]?.[0]}`,
  );
  for (const { code, values } of selection)
    if (new Set(values).size < values.length) reader.refuse(`the axis "${code}" has a value twice`);
  return selection;
}

function cleaned(values: unknown): unknown {
  if (!Array.isArray(values)) return values;
  return values
    .map((value: unknown) => (typeof value === 'string' ? value.trim() : value))
    .filter((value) => value !== '');
}

/** Reads a row of variants: `product_sku`, `sku`, and a column such as `axis:color` for each axis. */
export function readVariant(reader: RowReader): WantedVariant {
  const [productSku, sku] = [reader.raw('product_sku'), reader.raw('sku')] as [string, string];
  // Without a prototype: an axis may be called `constructor` or `__proto__`.
  const axisValues: Record<string, string> = Object.create(null);
  const given = reader.raw('axis_values') ?? {};
  if (!isObject(given)) reader.refuse('axis_values is not an object of axis codes and values');
  for (const [code, value] of [...axisColumns(reader), ...(isObject(given) ? Object.entries(given) : [])])
    axisValues[code] =
      typeof value === 'number' || typeof value === 'boolean' ? String(value) : (value as string);
  if (Object.keys(axisValues).length === 0) reader.refuse('it has no axis values');
  const price = reader.raw('price_value') as number | null | undefined;
  const barcode = reader.raw('barcode') as string | null | undefined;
  const isActive = reader.raw('is_active') as boolean | undefined;
  reader.check('ProductCreate', { sku: productSku }, () => 'product_sku');
  const body = {
    sku,
    axis_values: axisValues,
    ...(price !== undefined && { price: { value: price } }),
    barcode,
    is_active: isActive,
  };
  reader.check('VariantCreate', body, ([first, second]) =>
    first === 'axis_values' ? `axis:${second}` : first === 'price' ? 'price_value' : String(first),
  );
  const { file, line } = reader.row;
  return { place: { file, line }, productSku, sku, axisValues, price, barcode, isActive };
}

function axisColumns(reader: RowReader): [code: string, value: unknown][] {
  const names = reader.names.filter((name) => name.startsWith('axis:') && name !== 'axis:');
  return names.map((name) => [name.slice('axis:'.length), reader.raw(name)]);
}

/** Reads a row of axes: `axis`, and `value` for one of its values; `label`, `position` and `is_active` of either. */
export function readAxisRow(reader: RowReader): WantedAxisRow {
  const code = reader.raw('axis') as string;
  const value = (reader.raw('value') as string | undefined) ?? null;
  const label = reader.raw('label') as string | null | undefined;
  const position = reader.raw('position') as number | undefined;
  const isActive = reader.raw('is_active') as boolean | undefined;
  const columnOf = ([first]: Path) => (first === 'code' ? 'axis' : String(first));
  reader.check('AxisCreate', value === null ? { code, label, position } : { code }, columnOf);
  if (value !== null) reader.check('AxisValueCreate', { value, label, position });
  reader.check('AxisUpdate', { is_active: isActive });
  return { code, value, label, position, isActive };
}

/** Reads a row of stock locations: `external_code`, `name`, `is_active`. */
export function readLocation(reader: RowReader): WantedLocation {
  const code = reader.raw('external_code') as string;
  const name = reader.raw('name') as string | undefined;
  const isActive = reader.raw('is_active') as boolean | undefined;
  reader.check('StockLocationCreate', { external_code: code, name, is_active: isActive });
  if (code === '__default__') reader.refuse('the location __default__ cannot be written');
  return { code, name, isActive };
}

/** Reads a row of stock: the columns of a feed. */
export function readLevel(reader: RowReader, defaultLocation: string | undefined): WantedLevel {
  const sku = reader.raw('sku') as string;
  const location = (reader.raw('location_code') ?? defaultLocation) as string;
  const quantity = reader.raw('quantity') as number;
  const reserved = reader.raw('reserved') as number | undefined;
  const updatedAt = reader.raw('updated_at') as string | undefined;
  reader.check('FeedLine', { sku, location_code: location, quantity, reserved, updated_at: updatedAt });
  const { file, line } = reader.row;
  return { place: { file, line }, sku, location, quantity, reserved, updatedAt };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
