import { createReadStream } from 'node:fs';
import { cellValue } from '@brandport/client';
import { InputError } from '../../errors.ts';
import { csvTable } from '../../input/csv-table.ts';
import type { InputFile, InputRow, Place } from '../../input/input-rows.ts';
import { typeOfColumn } from '../../input/row-kinds.ts';
import { akeneo } from './akeneo.ts';
import { codesOf } from './axis-codes.ts';
import { magento } from './magento.ts';
import type { Layout, LeftOut, ShopItem, ShopOptions, ShopProduct, ShopRow, ShopVariant } from './shop.ts';
import { shopify } from './shopify.ts';
import { woocommerce } from './woocommerce.ts';

export const layouts = { shopify, woocommerce, magento, akeneo } as const satisfies Record<string, Layout>;

export type ShopName = keyof typeof layouts;

/** Refuses the columns of another shop's export. @param from the shop that was named, if any @throws InputError */
export function refuseOtherShop(path: string, names: readonly string[], from?: ShopName): void {
  const columns = new Set(names.map((name) => name.toLowerCase()));
  const found = (Object.keys(layouts) as ShopName[]).filter((shop) =>
    layouts[shop].marks.some((marks) => marks.every((mark) => columns.has(mark))),
  );
  const [shop] = found;
  if (shop !== undefined && (from === undefined || !found.includes(from)))
    throw new InputError(`${path}: the columns are those of an export of ${shop}. Use --from ${shop}.`);
}

interface ShopInput extends ShopOptions {
  readonly from: ShopName;
  readonly left: LeftOut;
}

type Emit = (place: Place, values: Readonly<Record<string, unknown>>) => InputRow;

/**
 * Reads the files of a shop as rows of `sync`: axes, the location, products, variants and stock. All of it is in memory [D149].
 * @throws InputError
 */
export async function* shopRows(files: readonly InputFile[], input: ShopInput): AsyncGenerator<InputRow> {
  const { from, left, ...options } = input;
  const layout: Layout = layouts[from];
  const rows: ShopRow[] = [];
  for (const file of files)
    try {
      rows.push(...(await readRows(file, from, left)));
    } catch (error) {
      throw InputError.of(file.path, error);
    }
  const products = layout.products(rows, options, left);
  const emit = emitter(layout, files[0]?.decimal);
  const axes = axesOf(products);
  for (const { place, code, label, values } of axes.values()) {
    yield emit(place, { axis: code, label });
    for (const value of values.values())
      yield emit(value.place, { axis: code, value: value.code, label: value.label });
  }
  const [first] = products;
  if (options.location !== undefined && first !== undefined)
    yield emit(first.place, { external_code: options.location });
  for (const product of products) yield* productRows(product, { emit, axes, options, left });
}

/** Reads the cells that a layout knows, without the white space around them. */
async function readRows(file: InputFile, from: ShopName, left: LeftOut): Promise<ShopRow[]> {
  const layout: Layout = layouts[from];
  const rows: ShopRow[] = [];
  const onNames = (_line: number, names: readonly string[]) => refuseOtherShop(file.path, names, from);
  const { path, delimiter, stream = createReadStream(path) } = file;
  const table = { path, delimiter, usualDelimiter: layout.delimiter };
  for await (const { line, names, values } of csvTable(table, stream, onNames)) {
    const cells = new Map<string, string>();
    for (const [index, name] of names.entries()) {
      const column = name.toLowerCase();
      const text = cellValue(values[index] ?? '') as string | undefined;
      if (text === undefined || name === '') continue;
      const what = layout.leaves[column];
      if (layout.reads.test(column)) cells.set(column, cells.get(column) ?? text);
      else if (what === undefined) left.addColumn(name);
      else left.add(what);
    }
    rows.push({ file: file.path, line, cells });
  }
  return rows;
}

/** Returns a function that makes rows of `sync`: text becomes the type of its column, and what is empty is left out. */
function emitter({ names: namesInFile }: Layout, decimal: InputFile['decimal']): Emit {
  return ({ file, line }, values) => {
    const given = Object.entries(values)
      .map(([column, value]) => [
        column,
        typeof value === 'string' ? cellValue(value, typeOfColumn(column), decimal) : value,
      ])
      .filter(([, value]) => value !== undefined);
    return {
      file,
      line,
      columns: Object.keys(values),
      namesInFile,
      values: Object.fromEntries(given),
      decimal,
    };
  };
}

/** A code with its label, and the row that names it first. */
interface Named {
  readonly code: string;
  readonly label: string;
  readonly place: Place;
}

interface ShopAxis extends Named {
  /** The values by their text in the file. */
  readonly values: ReadonlyMap<string, Named>;
}

type Axes = ReadonlyMap<string, ShopAxis>;

/** Returns the axes of all variants by the text of the file, with their codes. */
function axesOf(products: readonly ShopProduct[]): Axes {
  const found = new Map<string, { first: Omit<Named, 'code'>; values: Map<string, Omit<Named, 'code'>> }>();
  for (const { variants } of products)
    for (const { place, values } of variants)
      for (const { axis, value } of values) {
        const known = found.get(axis.text) ?? { first: { label: axis.label, place }, values: new Map() };
        found.set(axis.text, known);
        if (!known.values.has(value.text)) known.values.set(value.text, { label: value.label, place });
      }
  const codes = codesOf(found.keys());
  const named = [...found].map(([text, { first, values }]): [string, ShopAxis] => {
    const valueCodes = codesOf(values.keys());
    const coded = [...values].map(([value, of]): [string, Named] => [
      value,
      { code: valueCodes.get(value) ?? '', ...of },
    ]);
    return [text, { code: codes.get(text) ?? '', ...first, values: new Map(coded) }];
  });
  return new Map(named);
}

interface Emitting {
  readonly emit: Emit;
  readonly axes: Axes;
  readonly options: ShopOptions;
  readonly left: LeftOut;
}

function* productRows({ variants, ...product }: ShopProduct, emitting: Emitting): Generator<InputRow> {
  const { emit, axes } = emitting;
  const { place, sku, fields } = product;
  const { currency } = emitting.options;
  yield emit(place, {
    sku,
    ...fields,
    ...(currency !== undefined && fields['price_value'] !== undefined && { price_currency: currency }),
  });
  if (variants.length === 0) yield* levelRows(product, emitting);
  else if (product.quantity !== '') emitting.left.add('quantities of products with variants', sku);
  for (const variant of variants) {
    const codes = codesOfVariant(variant, axes);
    const own = variant.sku === '' ? [sku, ...Object.values(codes)].join('-') : variant.sku;
    yield emit(variant.place, { product_sku: sku, sku: own, axis_values: codes, ...variant.fields });
    yield* levelRows({ ...variant, sku: own }, emitting);
  }
}

function codesOfVariant({ values }: ShopVariant, axes: Axes): Record<string, string> {
  // Without a prototype: an axis may be called `__proto__`.
  const codes: Record<string, string> = Object.create(null);
  for (const { axis, value } of values) {
    const known = axes.get(axis.text);
    codes[known?.code ?? ''] = known?.values.get(value.text)?.code ?? '';
  }
  return codes;
}

function* levelRows(
  { place, sku, quantity }: ShopItem,
  { emit, options, left }: Emitting,
): Generator<InputRow> {
  if (quantity === '') return;
  if (options.location === undefined) {
    left.add('quantities, which --location CODE takes');
    return;
  }
  const isNegative = /^-.*[1-9]/.test(quantity);
  if (isNegative) left.add('quantities below 0, which become 0', sku);
  yield emit(place, { sku, location_code: options.location, quantity: isNegative ? '0' : quantity });
}
