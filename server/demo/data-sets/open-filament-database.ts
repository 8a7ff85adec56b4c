import { join } from 'node:path';
import { readJsonLines } from '../data-files.ts';
import type { ProductBody } from '../products/product-body.ts';
import { partOf, roundTripProducts } from '../products/round-trip-products.ts';
import type { DataSet } from './data-set.ts';

interface CatalogLine {
  /** `data/<brand>/<MATERIAL>/<filament>/filament.json` is a product; there are other kinds. */
  readonly path: string;
  readonly doc: { readonly name: string; readonly discontinued?: boolean };
}

const file = 'catalog.ndjson.gz';

/** 2,049 filaments for 3D printers as the products of one brand. */
export const openFilamentDatabase: DataSet = {
  name: 'open-filament-database',
  files: [file],
  async run(run) {
    const lines = await readJsonLines<CatalogLine>(join(run.dir, file));
    const products = lines.flatMap((line) => productOf(line) ?? []);
    await roundTripProducts(run, partOf(products, run.part));
  },
};

function productOf({ path, doc }: CatalogLine): ProductBody | null {
  const sku = /^data\/(.+)\/filament\.json$/.exec(path)?.[1];
  return sku === undefined ? null : { sku, title: doc.name, is_active: doc.discontinued !== true };
}
