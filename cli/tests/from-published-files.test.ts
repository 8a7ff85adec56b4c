// nightly: syncs published catalogs, whole ones where they are beside the project
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findDataSet } from '../../server/test/real-data/data-set.ts';
import { startCliService } from './cli-service.ts';
import { catalogOf, SyncFolder } from './sync-kit.ts';

const { newCliBrand } = await startCliService({ runsJobs: true });
const folder = new SyncFolder();

/** Numbers of what a catalog has. */
interface Expected {
  readonly products: number;
  readonly active: number;
  readonly variants: number;
  readonly levels: number;
  readonly quantity: number;
  /** Values by the label of their axis. */
  readonly axes: Readonly<Record<string, number>>;
  /** Parts of what is written about the rest. */
  readonly left: readonly string[];
}

interface Case {
  readonly name: string;
  readonly args: readonly string[];
  readonly files: readonly string[];
  /** Counted by hand: in the published files, and in the excerpt. */
  readonly published: Expected;
  readonly excerpt: Expected;
}

const shopifyExport: Expected = {
  products: 20,
  active: 20,
  variants: 2,
  levels: 21,
  quantity: 65,
  axes: { Color: 2 },
  left: ['images: 21', 'compare-at prices: 16', 'columns: Vendor, Type'],
};

const cases: readonly Case[] = [
  {
    name: 'shopify-export',
    args: ['--from', 'shopify', '--location', 'shop'],
    files: ['product-data.csv'],
    published: shopifyExport,
    excerpt: shopifyExport,
  },
  {
    name: 'shopify-product-csvs',
    args: ['--from', 'shopify', '--location', 'shop'],
    files: ['apparel.csv', 'home-and-garden.csv', 'jewelery.csv'],
    published: {
      products: 60,
      active: 60,
      variants: 11,
      levels: 66,
      quantity: 107,
      axes: { Size: 4, Color: 4, Colour: 2 },
      left: ['images: 82', 'images of variants: 6'],
    },
    excerpt: {
      products: 4,
      active: 4,
      variants: 3,
      levels: 5,
      quantity: 7,
      axes: { Size: 2 },
      left: ['images: 3', 'columns: Vendor, Variant Grams'],
    },
  },
  {
    name: 'woocommerce-sample',
    args: ['--from', 'woocommerce', '--location', 'shop'],
    files: ['sample_products.csv'],
    published: {
      products: 13,
      active: 13,
      variants: 9,
      levels: 0,
      quantity: 0,
      axes: { Color: 3, Logo: 2 },
      left: [
        'grouped products: 1 (cc-logo-collection)',
        'external products: 1 (cp-donation)',
        'sale prices: 6',
        'attributes that all variations leave open: 1 (Size of cc-tee)',
        'attributes of products without variants: 5 (cc-hoodie-with-logo, cc-beanie, cc-cap, …)',
      ],
    },
    excerpt: {
      products: 3,
      active: 2,
      variants: 2,
      levels: 0,
      quantity: 0,
      axes: { Color: 2 },
      left: [
        'grouped products: 1 (own-set)',
        'external products: 1 (own-link)',
        'sale prices: 1',
        'attributes that all variations leave open: 1 (Size of own-tee)',
      ],
    },
  },
  {
    name: 'magento2-sample-data',
    args: ['--from', 'magento', '--location', 'shop'],
    files: ['products.csv.gz'],
    published: {
      products: 147,
      active: 147,
      variants: 1_847,
      levels: 1_847,
      quantity: 184_700,
      axes: { size: 13, color: 11 },
      left: ['rows with images: 1,994', 'rows with categories: 1,994'],
    },
    excerpt: {
      products: 1,
      active: 1,
      variants: 2,
      levels: 2,
      quantity: 200,
      axes: { size: 2, color: 1 },
      left: ['rows with categories: 3'],
    },
  },
  {
    name: 'akeneo-docs',
    args: ['--from', 'akeneo', '--currency', 'USD'],
    files: ['product.csv', 'product_model.csv', 'family_variant.csv', 'option.csv', 'attribute.csv'],
    published: {
      products: 18,
      active: 15,
      variants: 0,
      levels: 0,
      quantity: 0,
      axes: {},
      left: ['rows with categories: 18', 'columns: '],
    },
    excerpt: {
      products: 3,
      active: 2,
      variants: 0,
      levels: 0,
      quantity: 0,
      axes: {},
      left: ['rows with categories: 2', 'columns: main_color, price-eur'],
    },
  },
];

describe('sync --from with published files', () => {
  for (const { name, args, files, ...counts } of cases)
    it(`writes ${name} with one command, and nothing when it runs again`, async () => {
      const data = findDataSet(name);
      const expected = counts[data.isExcerpt ? 'excerpt' : 'published'];
      const paths = await Promise.all(
        files.map(async (file) => {
          const path = join(folder.path, `${name}-${file.replace(/\.gz$/, '')}`);
          writeFileSync(path, await data.bytes(file));
          return path;
        }),
      );
      const { cli, brandport } = await newCliBrand();
      const first = await cli(['sync', ...args, ...paths, '--yes']);
      assert.equal(first.code, 0, first.stderr + first.stdout);
      for (const part of expected.left) assert.ok(first.stderr.includes(part), `${part}\n${first.stderr}`);
      assert.doesNotMatch(first.stderr, /problem/);
      const catalog = await catalogOf(brandport);
      const axes = catalog.axes.map(([, label, values]) => [label, (values as unknown[]).length]);
      assert.deepEqual(
        {
          products: catalog.products.length,
          active: catalog.products.filter((product) => product.is_active).length,
          variants: catalog.products.flatMap((product) => product.variants).length,
          levels: catalog.levels.length,
          quantity: catalog.levels.reduce((sum, [, , quantity]) => sum + Number(quantity), 0),
          axes: Object.fromEntries(axes),
        },
        omitLeft(expected),
      );
      const again = await cli(['sync', ...args, ...paths, '--yes']);
      const same = expected.products + expected.variants + expected.levels;
      assert.equal(again.stdout, `= ${same.toLocaleString('en-US')} same\nnothing to do\n`);
    });
});

function omitLeft({ left, ...counts }: Expected): Omit<Expected, 'left'> {
  return counts;
}
