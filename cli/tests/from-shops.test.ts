// processes: plans the exports of each shop
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { codesOf } from '../src/sync/shops/axis-codes.ts';
import { startCliService } from './cli-service.ts';
import { catalogOf, SyncFolder } from './sync-kit.ts';

const { newCliBrand } = await startCliService({ runsJobs: true });
const folder = new SyncFolder();

/** Writes the files with one command, sees that a second run has nothing to do, and returns the catalog. */
async function synced(...args: string[]) {
  const { cli, brandport } = await newCliBrand();
  const { code, stdout, stderr } = await cli(['sync', ...args, '--yes']);
  assert.equal(code, 0, stderr + stdout);
  const again = await cli(['sync', ...args, '--yes']);
  assert.match(again.stdout, /^= \d+ same\nnothing to do\n$/);
  const catalog = await catalogOf(brandport);
  const bySku = new Map(catalog.products.map((product) => [product.sku, product]));
  return { ...catalog, bySku, stderr };
}

const shopifyHead =
  ' Handle ,Title,Body (HTML),Published,Status,Option1 Name,Option1 Value,Option1 Linked To,Option2 Name,Option2 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Barcode,Image Src';

describe('codes of axes and values [D301]', () => {
  it('are the same in every run, and different for different texts', () => {
    const texts = ['Größe', 'Café', '42½', '红', '蓝', '👕', 'مقاس', 'A/B', 'A B', 'A-B', 'x'.repeat(255)];
    const codes = codesOf(texts);
    assert.deepEqual(Object.fromEntries([...codes].slice(0, 10)), {
      Größe: 'Gro-e',
      Café: 'Cafe',
      '42½': '421-2',
      红: '0eb7ee7e',
      蓝: '52f354ec',
      '👕': '496155a4',
      مقاس: 'd7f3120c',
      'A/B': 'A-B-998d3ed8',
      'A B': 'A-B-fea4c5ce',
      'A-B': 'A-B',
    });
    assert.equal(codes.get('x'.repeat(255))?.length, 64);
    assert.deepEqual(new Map([...codesOf(texts.toReversed())].toReversed()), codes);
    for (const code of codes.values()) assert.match(code, /^[a-zA-Z0-9._-]{1,64}$/);
    assert.equal(new Set(codes.values()).size, texts.length);
  });
});

describe('sync --from shopify', () => {
  it('takes statuses, quantities, missing SKUs and cells with white space, in any spelling', async () => {
    const path = folder.file('shopify.csv', [
      `\uFEFF${shopifyHead}\r`,
      'live,Live,"<p>Two\nlines, ""quoted""</p>",TRUE,active,Title,Default Title,,,,LIVE-1,3.0,10,0012,https://example.com/1.jpg\r',
      'live,,,,,,,,,,,,,,https://example.com/2.jpg\r',
      'draft,Draft,,true,draft,Title,Default Title,,,,,-2,10,,\r',
      "hidden,Hidden,,false,active,Title,Default Title,,,,'=1+1,,10,,\r",
      `long,${'Ü'.repeat(254)}👕,,true,,Title,Default Title,,,,'00123,0,10,,\r`,
      ' qipao , 旗袍 ,,true,active, 颜色 , 红 ,product.metafields.shopify.color,尺码,大,,1,20,,\r',
      'qipao,,,,,,蓝,,,大,,2,21,731,\r',
    ]);
    const { bySku, levels, axes, stderr } = await synced('--from', 'shopify', '--location', 'shop', path);
    assert.deepEqual(
      [...bySku].map(([sku, { is_active: isActive }]) => [sku, isActive]),
      [
        ['00123', true],
        ['=1+1', false],
        ['LIVE-1', true],
        ['draft', false],
        ['qipao', true],
      ],
    );
    assert.equal(bySku.get('LIVE-1')?.short_description, '<p>Two\nlines, "quoted"</p>');
    assert.equal([...(bySku.get('00123')?.title ?? '')].length, 255);
    const codes = codesOf(['红', '蓝']);
    const [color, size] = ['颜色', '尺码'].map((text) => codesOf(['颜色', '尺码']).get(text));
    const large = codesOf(['大']).get('大');
    assert.deepEqual(
      axes.map(([code, label]) => [code, label]),
      [
        [color, '颜色'],
        [size, '尺码'],
      ],
    );
    const variants = bySku
      .get('qipao')
      ?.variants.map(({ sku, barcode, is_active: isActive }) => [sku, barcode, isActive]);
    assert.deepEqual(
      variants?.toSorted(),
      [
        [`qipao-${codes.get('红')}-${large}`, null, true],
        [`qipao-${codes.get('蓝')}-${large}`, '731', true],
      ].toSorted(),
    );
    assert.deepEqual(levels.map(([sku, , quantity]) => [sku, quantity]).slice(0, 3), [
      ['00123', 0],
      ['LIVE-1', 3],
      ['draft', 0],
    ]);
    assert.match(stderr, /quantities below 0, which become 0: 1 \(draft\)/);
    assert.match(stderr, /barcodes of products without variants: 1;/);
    assert.match(stderr, /images: 2;/);
  });

  it('leaves quantities out without a location, and names the option', async () => {
    const path = folder.file('no-location.csv', [shopifyHead, 'a,A,,true,,Title,Default Title,,,,,5,10,,']);
    const { levels, stderr } = await synced('--from', 'shopify', path);
    assert.equal(levels.length, 0);
    assert.match(stderr, /quantities, which --location CODE takes: 1/);
    const followed = await synced('--from', 'shopify', '--location', 'shop', path);
    assert.deepEqual(followed.levels, [['a', 'shop', 5, 0]]);
  });

  it('names the row and the column of what the service would refuse', async () => {
    const path = folder.file('wrong.csv', [shopifyHead, 'a,A,,true,,Title,Default Title,,,,,x,"12,50",,']);
    const { cli } = await newCliBrand();
    const { code, stderr } = await cli(['sync', '--from', 'shopify', '--location', 'shop', path, '--yes']);
    assert.equal(code, 3);
    assert.match(stderr, /wrong\.csv:2: Variant Price \(price_value\) "12,50" must be a number/);
    assert.match(stderr, /wrong\.csv:2: Variant Inventory Qty \(quantity\) "x" must be an integer/);
  });

  it('refuses the export of another shop, and names the shop of one that came without --from', async () => {
    const { cli } = await newCliBrand();
    const heads = {
      shopify: shopifyHead,
      woocommerce: 'ID,Type,SKU,Name,Regular price',
      magento: 'sku,store_view_code,product_type,name,price',
      akeneo: 'sku;enabled;name-en_US',
    };
    for (const [shop, head] of Object.entries(heads)) {
      const delimiter = shop === 'akeneo' ? ['--delimiter', ';'] : [];
      const other = shop === 'magento' ? 'shopify' : 'magento';
      for (const from of [[], ['--from', other]]) {
        const path = folder.file(`of-${shop}.csv`, [head]);
        const { code, stderr } = await cli(['sync', ...from, ...delimiter, path, '--dry-run']);
        assert.equal(code, 3, stderr);
        assert.match(
          stderr,
          new RegExp(`of-${shop}\\.csv: the columns are those of an export of ${shop}. Use --from ${shop}`),
        );
      }
    }
    const renamed = folder.file('renamed.csv', [heads.magento, 'A,,simple,Tee,5']);
    const args = ['--column', 'title=name', '--ignore', '*', '--dry-run'];
    assert.equal((await cli(['sync', renamed, ...args])).code, 0);
  });

  it('refuses options that would have no effect', async () => {
    const { cli } = await newCliBrand();
    for (const args of [
      ['--from', 'shopify', '--column', 'sku=Handle'],
      ['--from', 'shopify', '--language', 'de=de-DE'],
      ['--currency', 'EUR'],
      ['--from', 'prestashop'],
    ])
      assert.equal((await cli(['sync', 'x.csv', ...args, '--dry-run'])).code, 2, args.join(' '));
  });
});

describe('sync --from woocommerce', () => {
  it('takes variations by the SKU or the id of their parent, and names what it cannot', async () => {
    const path = folder.file('woo.csv', [
      'ID,Type,SKU,Name,Published,Stock,Regular price,Parent,Attribute 1 name,Attribute 1 value(s),Attribute 2 name,Attribute 2 value(s)',
      '45,variation,,Tee M,1,4,20,id:44,Größe,M,,',
      '44,variable,,Tee,1,,,,Größe,"S, M",,',
      '46,variation,TEE-S,Tee S,0,parent,19,id:44,Größe,S,,',
      '50,variable,CAP,Cap,-1,,,,Color,Red,Size,M',
      '51,variation,CAP-1,Cap,1,-3,5,CAP,Color,Red,Size,M',
      '52,variation,CAP-2,Cap,1,2,5,CAP,Color,Red,Size,',
      '53,variation,LOST,Lost,1,2,5,GONE,Color,Red,,',
      "60,simple,'=BAG,'-Bag,0,,7.5,,,,,",
    ]);
    const { bySku, levels, stderr } = await synced('--from', 'woocommerce', '--location', 'shop', path);
    assert.deepEqual(
      [...bySku].map(([sku, { title, is_active: isActive }]) => [sku, title, isActive]),
      [
        ['=BAG', '-Bag', false],
        ['CAP', 'Cap', false],
        ['id-44', 'Tee', true],
      ],
    );
    assert.deepEqual(
      bySku
        .get('id-44')
        ?.variants.map(({ sku, is_active: isActive, axis_values: values }) => [sku, isActive, { ...values }]),
      [
        ['TEE-S', false, { 'Gro-e': 'S' }],
        ['id-44-M', true, { 'Gro-e': 'M' }],
      ],
    );
    assert.deepEqual(
      levels.map(([sku, , quantity]) => [sku, quantity]),
      [
        ['CAP-1', 0],
        ['id-44-M', 4],
      ],
    );
    assert.match(stderr, /variations whose product is not in the files: 1 \(LOST\)/);
    assert.match(stderr, /variations that leave an attribute open: 1 \(CAP-2: any Size\)/);
    assert.match(stderr, /variations that share the stock of their product: 1 \(TEE-S\)/);
  });
});

describe('sync --from magento', () => {
  const path = folder.file('magento.csv', [
    'sku,store_view_code,product_type,name,price,product_online,qty,additional_attributes,configurable_variations,configurable_variation_labels',
    'WS-S,,simple,Tee S,,1,7.0000,size=S,,',
    'WS-M,,simple,Tee M,21,2,0.0000,"size=M, wide",,',
    'WS,,configurable,Tee,19.5,1,0,,"sku=WS-S,size=S|sku=WS-M,size=M, wide|sku=WS-X,size=X",size=Size',
    'WS,de,configurable,Hemd,,,,,,',
    'WS,fr,configurable,Chemise,,,,,,',
    'SET,,bundle,Set,1,1,,,,',
    'BAG,,simple,Bag,34,1,5,color=Red,,',
  ]);

  it('takes rows of a store view as texts of its language, and children before their parents', async () => {
    const { bySku, axes, levels, stderr } = await synced(
      ...['--from', 'magento', '--location', 'shop', '--language', 'de=de-DE', path],
    );
    assert.deepEqual([...bySku.keys()], ['BAG', 'WS']);
    const tee = bySku.get('WS');
    assert.deepEqual(
      [tee?.title, tee?.versions, tee?.is_active],
      ['Tee', { 'de-DE': { title: 'Hemd' } }, true],
    );
    assert.deepEqual(
      tee?.variants.map(({ sku, axis_values: values, is_active: isActive }) => [
        sku,
        { ...values },
        isActive,
      ]),
      [
        ['WS-M', { size: 'M-wide' }, false],
        ['WS-S', { size: 'S' }, true],
      ],
    );
    assert.deepEqual(axes, [
      [
        'size',
        'Size',
        [
          ['S', 'S'],
          ['M-wide', 'M, wide'],
        ],
      ],
    ]);
    assert.deepEqual(
      levels.map(([sku, , quantity]) => [sku, quantity]),
      [
        ['BAG', 5],
        ['WS-M', 0],
        ['WS-S', 7],
      ],
    );
    assert.match(stderr, /rows of the store view fr, which --language fr=TAG takes: 1/);
    assert.match(stderr, /bundle products: 1 \(SET\)/);
    assert.match(stderr, /variations without a row: 1 \(WS-X\)/);
  });
});

describe('sync --from akeneo', () => {
  const products = folder.file('akeneo.csv', [
    'sku;family;parent;enabled;color;size;label-en_US;label-de_DE;price-EUR;price-USD',
    'cap;caps;;1;;;Cap;Kappe;12,50;14',
    'tee-red-m;tees;tee-red;1;;m;;;;',
    'tee-red-s;tees;tee-red;0;;s;;;;',
  ]);
  const models = folder.file('akeneo-models.csv', [
    'code;family_variant;parent;color;label-en_US;price-EUR',
    'tee;by_color_size;;;Tee;20,00',
    'tee-red;by_color_size;tee;red;Tee red;21,00',
  ]);
  const families = folder.file('akeneo-families.csv', [
    'code;family;variant-axes_1;variant-axes_2',
    'by_color_size;tees;color;size',
  ]);
  const labels = folder.file('akeneo-options.csv', [
    'attribute;code;sort_order;label-en_US',
    'color;red;1;Red',
    'size;m;1;Medium',
  ]);
  const from = ['--from', 'akeneo', '--title', 'label', '--decimal', ','];

  it('joins products, two levels of models, family variants and labels', async () => {
    const { bySku, axes } = await synced(...from, '--currency', 'EUR', products, models, families, labels);
    assert.deepEqual([...bySku.keys()], ['cap', 'tee']);
    const [cap, tee] = [bySku.get('cap'), bySku.get('tee')];
    assert.deepEqual(
      [cap?.title, cap?.versions, cap?.price_value, cap?.price_currency],
      ['Cap', { 'en-US': { title: 'Cap' }, 'de-DE': { title: 'Kappe' } }, 12.5, 'EUR'],
    );
    assert.deepEqual([tee?.title, tee?.price_value, tee?.is_active], ['Tee', 20, true]);
    assert.deepEqual(
      tee?.variants.map(({ sku, axis_values: values, price, is_active: isActive }) => [
        sku,
        { ...values },
        price.value,
        isActive,
      ]),
      [
        ['tee-red-m', { color: 'red', size: 'm' }, 21, true],
        ['tee-red-s', { color: 'red', size: 's' }, 21, false],
      ],
    );
    assert.deepEqual(axes, [
      ['color', 'color', [['red', 'Red']]],
      [
        'size',
        'size',
        [
          ['m', 'Medium'],
          ['s', 's'],
        ],
      ],
    ]);
  });

  it('asks for the currency and for files that are missing', async () => {
    const { cli } = await newCliBrand();
    const run = async (...args: string[]) => (await cli(['sync', ...from, ...args, '--dry-run'])).stderr;
    assert.match(await run(products, models, families), /in EUR, USD\. Choose one: --currency EUR\./);
    assert.match(
      await run('--currency', 'EUR', products),
      /akeneo\.csv:3: the product model tee-red is in none/,
    );
    assert.match(
      await run('--currency', 'EUR', products, models),
      /the family variant by_color_size is in none/,
    );
  });
});
