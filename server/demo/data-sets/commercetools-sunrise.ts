import { join } from 'node:path';
import { readCsv } from '../data-files.ts';
import { DemoError } from '../demo-error.ts';
import type { ProductBody, ProductTexts } from '../products/product-body.ts';
import { partOf, roundTripProducts } from '../products/round-trip-products.ts';
import type { DataSet } from './data-set.ts';

type Row = Partial<Record<string, string>>;

const file = 'products.csv';
const languages = ['en', 'de', 'it'];

/** 32 products of a fashion shop with their translations. */
export const commercetoolsSunrise: DataSet = {
  name: 'commercetools-sunrise',
  files: [file],
  async run(run) {
    const rows = await readCsv(join(run.dir, file));
    // A row without `productType` is one more variant of the product above it.
    const products = rows.filter((row) => row['productType'] !== '').map(productOf);
    await roundTripProducts(run, partOf(products, run.part));
  },
};

/** The English slug is the SKU: the file's own SKUs belong to the variants. */
function productOf(row: Row): ProductBody {
  const texts = languages.map((language) => [language, textsIn(row, language)] as const);
  const versions = Object.fromEntries(texts.filter(([, text]) => Object.keys(text).length > 0));
  return {
    sku: cell(row, 'slug.en'),
    title: cell(row, 'name.en'),
    default_language: 'en',
    versions,
    is_active: true,
    tax_class: cell(row, 'tax'),
    ...firstPrice(cell(row, 'prices')),
  };
}

function textsIn(row: Row, language: string): ProductTexts {
  const title = row[`name.${language}`] ?? '';
  const description = row[`description.${language}`] ?? '';
  return { ...(title !== '' && { title }), ...(description !== '' && { short_description: description }) };
}

/** The list price comes first: `EUR 18750;EUR 12295 b2b;…`, in cents. */
function firstPrice(prices: string): Pick<ProductBody, 'price_value' | 'price_currency'> {
  const [, currency, cents] = /^([A-Z]{3}) (\d+)(?:;|$)/.exec(prices) ?? [];
  if (currency === undefined || cents === undefined)
    throw new DemoError(`${file}: a price is not understood: ${prices.slice(0, 40)}`);
  return { price_value: Number(cents) / 100, price_currency: currency };
}

function cell(row: Row, name: string): string {
  const value = row[name];
  if (value === undefined || value === '') throw new DemoError(`${file}: a product has no ${name}`);
  return value;
}
