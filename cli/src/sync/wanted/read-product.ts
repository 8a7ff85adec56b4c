import type { RowReader } from '../../input/row-reader.ts';
import type { WantedFields, WantedProduct, WantedSelection, WantedVersions } from './wanted.ts';

const listDelimiter = '|';

/** Reads a row of products; null if it has a problem. */
export function readProduct(reader: RowReader): WantedProduct | null {
  const sku = reader.required('sku', 191);
  const fields = readFields(reader);
  const versions = readLanguages(reader);
  const selection = readSelection(reader);
  const wantsAllVariants = readVariants(reader);
  const skuTemplate = reader.text('sku_template', 500) ?? null;
  if (reader.has('type') && reader.raw('type') !== 'simple') reader.refuse('type can only be "simple"');
  return sku === undefined
    ? null
    : { place: placeOf(reader), sku, fields, versions, selection, wantsAllVariants, skuTemplate };
}

function readFields(reader: RowReader): WantedFields {
  const currency = reader.text('price_currency', 10);
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    reader.refuse(`price_currency "${currency}" is not a code such as EUR`);
  const fields = {
    title: reader.text('title', 255),
    short_description: reader.clearable('short_description', 5_000),
    price_value: reader.price('price_value'),
    price_currency: currency,
    tax_class: reader.text('tax_class', 64),
    is_active: reader.boolean('is_active'),
    default_language: reader.text('default_language', 35),
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Reads columns such as `axis:color` with `red|blue`, or `axes` of JSON: `{ "color": ["red", "blue"] }`. */
function readSelection(reader: RowReader): WantedSelection | null {
  const given: [code: string, values: unknown][] = reader.names
    .filter((name) => name.startsWith('axis:'))
    .map((name) => [name.slice('axis:'.length), String(reader.raw(name)).split(listDelimiter)]);
  const axes = reader.raw('axes');
  if (axes !== undefined) {
    if (typeof axes !== 'object' || axes === null || Array.isArray(axes))
      return reader.refuse('axes is not an object of axis codes and lists of values') ?? null;
    given.push(...Object.entries(axes));
  }
  if (given.length === 0) return null;
  return given.map(([code, values]) => ({ code, values: valuesOf(reader, code, values) }));
}

function valuesOf(reader: RowReader, code: string, given: unknown): string[] {
  if (!Array.isArray(given) || given.some((value) => typeof value !== 'string'))
    return reader.refuse(`the values of the axis "${code}" are not a list of strings`) ?? [];
  const values = given.map((value: string) => value.trim()).filter((value) => value !== '');
  if (values.length === 0) reader.refuse(`the axis "${code}" has no values`);
  if (new Set(values).size < values.length) reader.refuse(`the axis "${code}" has a value twice`);
  return values;
}

function readVariants(reader: RowReader): boolean {
  const variants = reader.raw('variants');
  if (variants !== undefined && variants !== 'all')
    reader.refuse(
      `variants ${JSON.stringify(variants).slice(0, 60)} is not "all"; other variants are rows with product_sku, sku and axes`,
    );
  return variants === 'all';
}

function placeOf({ row: { file, line } }: RowReader) {
  return { file, line };
}

const lengths = { title: 255, short_description: 5_000 } as const;
type VersionField = keyof typeof lengths;

/**
 * Reads the texts of languages: columns such as `title:sv`, or `versions` of JSON as the API has it. A tag that occurs in
 * two forms, as `sv` and `SV`, is a problem.
 */
function readLanguages(reader: RowReader): WantedVersions {
  const versions: Record<string, { title?: string; short_description?: string }> = {};
  const add = (tag: string, field: VersionField, text: string) => {
    versions[tag] = { ...versions[tag], [field]: text };
  };
  for (const name of reader.names) {
    const [, field, tag] = /^(title|short_description):(.+)$/.exec(name) ?? [];
    if (field === undefined || tag === undefined) continue;
    const text = reader.text(name, lengths[field as VersionField]);
    if (text !== undefined) add(tag, field as VersionField, text);
  }
  for (const [tag, texts] of Object.entries(objectOf(reader, reader.raw('versions'))))
    for (const [field, text] of Object.entries(objectOf(reader, texts)))
      if (field in lengths && typeof text === 'string') add(tag, field as VersionField, text);
      else reader.refuse(`versions.${tag}.${field} is not a title or short_description`);
  const tags = Object.keys(versions);
  if (new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length)
    reader.refuse(`two of the languages ${tags.join(', ')} differ only in case`);
  return versions;
}

function objectOf(reader: RowReader, value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return reader.refuse('versions is not an object of language tags and texts') ?? {};
}
