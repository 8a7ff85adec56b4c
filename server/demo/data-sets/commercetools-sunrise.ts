import { join } from 'node:path';
import { axisOf, choiceOf, type LibraryAxis, valueIn } from '../axes/axis-library.ts';
import { type CsvRow, cellOf, readCsv } from '../data-files.ts';
import { DemoError } from '../demo-error.ts';
import type { ProductTexts } from '../products/product-body.ts';
import { partOf, roundTripProducts } from '../products/round-trip-products.ts';
import type { FeedLine } from '../stock/feed.ts';
import { type ParentBody, type ParentSource, variantsOf } from '../variants/parent.ts';
import { parentScopes, roundTripParents } from '../variants/round-trip-parents.ts';
import type { DataSet } from './data-set.ts';

const file = 'products.csv';
const inventoryFile = 'inventory.csv.gz';
const location = 'sunrise';
const languages = ['en', 'de', 'it'];

/** 32 products of a fashion shop with translations and 119 variants; the stock of those and of 26,018 unknown SKUs. */
export const commercetoolsSunrise: DataSet = {
  name: 'commercetools-sunrise',
  files: [file, inventoryFile],
  async run(run) {
    const rows = await readCsv(join(run.dir, file));
    const library = ['size', 'color'].map((code) => libraryAxis(code, rows));
    const all = groupsOf(rows).map((group) => parentOf(group, library));
    const parents = partOf(all, run.part);
    const stock = partOfStock(await readCsv(join(run.dir, inventoryFile)), all, run.part);
    const shop = { axisLibrary: library, parents, location, stock };

    const bodies = parents.map(({ body }) => body);
    const { brand, created } = await roundTripProducts(run, bodies, parentScopes);
    const what = `${variantsOf(parents)} variants, ${stock.length.toLocaleString('en')} stock lines`;
    run.announce(brand, what);
    await roundTripParents(run, brand, created, shop);
  },
};

/** The values of an axis in file order. */
function libraryAxis(code: string, rows: readonly CsvRow[]): LibraryAxis {
  const label = code.charAt(0).toUpperCase() + code.slice(1);
  return axisOf(code, label, [...new Set(rows.map((row) => cell(row, code)))]);
}

/** A row without `productType` is another variant of the product above it. */
function groupsOf(rows: readonly CsvRow[]): CsvRow[][] {
  const groups: CsvRow[][] = [];
  for (const row of rows)
    if (row['productType'] !== '') groups.push([row]);
    else groups.at(-1)?.push(row);
  return groups;
}

/** The English slug is the SKU: the file's own SKUs belong to the variants, which all cost what the product does. */
function parentOf(group: readonly CsvRow[], library: readonly LibraryAxis[]): ParentSource {
  const row = group[0] as CsvRow;
  const texts = languages.map((language) => [language, textsIn(row, language)] as const);
  const versions = Object.fromEntries(texts.filter(([, text]) => Object.keys(text).length > 0));
  const body: ParentBody = {
    sku: cell(row, 'slug.en'),
    title: cell(row, 'name.en'),
    default_language: 'en',
    versions,
    is_active: true,
    tax_class: cell(row, 'tax'),
    ...firstPrice(cell(row, 'prices')),
  };
  const variants = group.map((variant) => {
    const price = firstPrice(cell(variant, 'prices'));
    if (price.price_currency !== body.price_currency)
      throw new DemoError(`${file}: ${cell(variant, 'sku')} has a price in another currency`);
    return {
      sku: cell(variant, 'sku'),
      axisValues: Object.fromEntries(
        library.map((axis) => [axis.code, valueIn(axis, cell(variant, axis.code))]),
      ),
      price: price.price_value === body.price_value ? null : price.price_value,
    };
  });
  const choice = library.map((axis) =>
    choiceOf(
      axis,
      group.map((variant) => cell(variant, axis.code)),
    ),
  );
  return { body, choice, variants };
}

function textsIn(row: CsvRow, language: string): ProductTexts {
  const title = row[`name.${language}`] ?? '';
  const description = row[`description.${language}`] ?? '';
  return { ...(title !== '' && { title }), ...(description !== '' && { short_description: description }) };
}

/** The list price comes first: `EUR 18750;EUR 12295 b2b;…`, in cents. */
function firstPrice(prices: string): Pick<ParentBody, 'price_value' | 'price_currency'> {
  const [, currency, cents] = /^([A-Z]{3}) (\d+)(?:;|$)/.exec(prices) ?? [];
  if (currency === undefined || cents === undefined)
    throw new DemoError(`${file}: a price is not understood: ${prices.slice(0, 40)}`);
  return { price_value: Number(cents) / 100, price_currency: currency };
}

/** The whole inventory; for a part, the lines of the file's own SKUs and a number of the others. */
function partOfStock(
  rows: readonly CsvRow[],
  parents: readonly ParentSource[],
  part: number | null,
): FeedLine[] {
  const known = new Set(parents.flatMap(({ variants }) => variants.map(({ sku }) => sku)));
  let others = 0;
  return rows.flatMap((row) => {
    const sku = cellOf(row, 'sku', inventoryFile);
    if (part !== null && !known.has(sku) && ++others > part) return [];
    const quantity = Number(cellOf(row, 'quantityOnStock', inventoryFile));
    return [{ sku, location_code: location, quantity }];
  });
}

const cell = (row: CsvRow, name: string) => cellOf(row, name, file);
