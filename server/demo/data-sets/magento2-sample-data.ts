import { join } from 'node:path';
import { type AxisChoice, axisOf, choiceOf, type LibraryAxis, valueIn } from '../axes/axis-library.ts';
import { type CsvRow, cellOf, readCsv } from '../data-files.ts';
import { DemoError } from '../demo-error.ts';
import { createProducts } from '../products/create-products.ts';
import { partOf } from '../products/round-trip-products.ts';
import type { FeedLine } from '../stock/feed.ts';
import { type ParentSource, type VariantSource, variantsOf } from '../variants/parent.ts';
import { parentScopes, roundTripParents } from '../variants/round-trip-parents.ts';
import type { DataSet } from './data-set.ts';

const file = 'products.csv.gz';
const attributesFile = 'attributes.csv';
const location = 'luma';
const currency = 'USD';

/** A clothes shop: 147 products in sizes and colours, 1,847 variants, the stock of each. */
export const magento2SampleData: DataSet = {
  name: 'magento2-sample-data',
  files: [file, attributesFile],
  async run(run) {
    const rows = await readCsv(join(run.dir, file));
    const simple = new Map(
      rows.filter((row) => row['product_type'] === 'simple').map((row) => [cell(row, 'sku'), row]),
    );
    const configurable = rows.filter((row) => row['product_type'] === 'configurable');
    const links = configurable.map(linksOf);
    const sizes = await sizesOf(join(run.dir, attributesFile));
    const colors = [...new Set(links.flat().map(({ color }) => color))];
    const library = [axisOf('size', 'Size', sizes), axisOf('color', 'Color', colors)];
    const all = configurable.map((row, index) => parentOf(row, links[index] as Link[], simple, library));
    const parents = partOf(all, run.part);
    const stock = parents.flatMap(({ variants }) =>
      variants.map(({ sku }) => stockLine(simple.get(sku) as CsvRow)),
    );
    const shop = { axisLibrary: library, parents, location, stock };

    const brand = await run.newBrand(parentScopes);
    const what = `${parents.length} products, ${variantsOf(parents).toLocaleString('en')} variants`;
    run.announce(brand, what);
    const created = await createProducts(
      run,
      brand,
      parents.map(({ body }) => body),
    );
    await roundTripParents(run, brand, created, shop);
  },
};

/** A row of a variant, as the row of its product names it. */
interface Link {
  readonly sku: string;
  readonly size: string;
  readonly color: string;
}

/** `sku=MH01-XS-Black,size=XS,color=Black|sku=…` is all that connects a product with its variants. */
function linksOf(row: CsvRow): Link[] {
  return cell(row, 'configurable_variations')
    .split('|')
    .map((text) => {
      const { sku, size, color } = pairsIn(text);
      if (sku === undefined || size === undefined || color === undefined)
        throw new DemoError(`${file}: a variation is not understood: ${text}`);
      return { sku, size, color };
    });
}

/** Sends every price of the file, although each variant has the price of its product: nothing is inherited. */
function parentOf(
  row: CsvRow,
  links: readonly Link[],
  simple: ReadonlyMap<string, CsvRow>,
  [size, color]: readonly LibraryAxis[],
): ParentSource {
  const variants = links.map((link): VariantSource => {
    const own = simple.get(link.sku);
    if (own === undefined) throw new DemoError(`${file}: ${link.sku} has no row`);
    const attributes = pairsIn(cell(own, 'additional_attributes'));
    if (attributes['size'] !== link.size || attributes['color'] !== link.color)
      throw new DemoError(`${file}: ${link.sku} is another variation in its own row`);
    const axisValues = {
      size: valueIn(size as LibraryAxis, link.size),
      color: valueIn(color as LibraryAxis, link.color),
    };
    return { sku: link.sku, axisValues, price: Number(cell(own, 'price')) };
  });
  const choice: AxisChoice[] = [
    choiceOf(
      size as LibraryAxis,
      links.map((link) => link.size),
    ),
    choiceOf(
      color as LibraryAxis,
      links.map((link) => link.color),
    ),
  ];
  const body = {
    sku: cell(row, 'sku'),
    title: cell(row, 'name'),
    short_description: cell(row, 'description'),
    is_active: cell(row, 'product_online') === '1',
    price_value: Number(cell(row, 'price')),
    price_currency: currency,
    tax_class: cell(row, 'tax_class_name'),
  };
  return { body, choice, variants };
}

/** The sizes in the order of the shop, including unused ones; the colours are not in that file. */
async function sizesOf(path: string): Promise<string[]> {
  const row = (await readCsv(path)).find((candidate) => candidate['attribute_code'] === 'size');
  return (row?.['option'] ?? '').split('\n').filter((size) => size !== '');
}

function stockLine(row: CsvRow): FeedLine {
  return { sku: cell(row, 'sku'), location_code: location, quantity: Number(cell(row, 'qty')) };
}

function pairsIn(text: string): Partial<Record<string, string>> {
  return Object.fromEntries(text.split(',').map((pair) => pair.split('=', 2)));
}

const cell = (row: CsvRow, name: string) => cellOf(row, name, file);
