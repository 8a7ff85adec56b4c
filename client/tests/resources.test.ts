import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { isBrandportError } from '../src/index.ts';
import { startSdkService } from './sdk-service.ts';

const { apps, newBrand } = await startSdkService();
after(() => apps.clientApp.close());

describe('the resources of the catalog', () => {
  it('change a product only as it was read, and show a key its refusals', async () => {
    const { brandport, brandId } = await newBrand();
    const { catalog, analytics } = brandport;
    const { tu_id: id } = await catalog.products.create({ sku: 'IF-1' });
    const { response } = await catalog.products.get(id).withResponse();
    const ifMatch = response.headers.get('etag') ?? '';
    await catalog.products.update(id, { title: 'First' }, { ifMatch });
    await assert.rejects(catalog.products.update(id, { title: 'Second' }, { ifMatch }), (error) =>
      isBrandportError(error, 'precondition_failed'),
    );
    assert.equal((await catalog.products.get(id)).title, 'First');
    await apps.keyUsage.flush();
    const { refusals, brand_id } = await catalog.status({ include: 'refusals' });
    assert.deepEqual([brand_id, refusals?.map(({ code }) => code)], [brandId, ['precondition_failed']]);
    assert.deepEqual((await analytics.status({ include: 'refusals' })).refusals, refusals);
    assert.equal((await catalog.status()).refusals, undefined);
  });

  it('carry a product from its axes to its stock', async () => {
    const { brandport, brandId } = await newBrand();
    const { products, variants, axes, locations, stock } = brandport.catalog;
    assert.equal((await brandport.catalog.status()).brand_id, brandId);

    await axes.create({ code: 'color', values: [{ value: 'red' }, { value: 'blue' }] });
    await axes.createValue('color', { value: 'green', label: 'Green' });
    assert.equal((await axes.updateValue('color', 'green', { label: 'Grün' })).label, 'Grün');
    await axes.deleteValue('color', 'green');
    assert.equal((await axes.update('color', { label: 'Color' })).label, 'Color');
    await axes.create({ code: 'size' });
    await axes.delete('size');
    assert.deepEqual(
      (await axes.list().toArray()).map(({ code, values }) => [code, values.map(({ value }) => value)]),
      [['color', ['red', 'blue']]],
    );

    const product = await products.create({ sku: 'TEE', title: 'Tee', price_value: 19.5, is_active: true });
    const { data } = await products.replaceAxes(product.tu_id, {
      axes: [{ code: 'color', values: ['red', 'blue'] }],
    });
    assert.deepEqual(data, (await products.getAxes(product.tu_id)).data);
    assert.equal((await products.update(product.tu_id, { title: 'T-shirt' })).title, 'T-shirt');

    const red = await variants.create(product.tu_id, { sku: 'TEE-R', axis_values: { color: 'red' } });
    assert.equal((await variants.planGeneration(product.tu_id)).would_create, 1);
    const { created } = await variants.generate(product.tu_id, { activate: true });
    assert.equal(created, 1);
    assert.equal((await variants.update(red.tu_id, { barcode: '4006381333931' })).barcode, '4006381333931');
    assert.equal((await variants.list(product.tu_id, { sku: 'TEE-R' }).toArray()).length, 1);

    await locations.create({ external_code: 'hall~1', name: 'Hall' });
    assert.equal((await locations.update('hall~1', { name: 'Hall 1' })).name, 'Hall 1');
    assert.equal((await locations.list().first()).meta.total, 1);
    const { level } = await stock.adjust(product.tu_id, {
      variant: red.tu_id,
      location: 'hall~1',
      quantity: 7,
      expected_quantity: 0,
    });
    assert.equal(level.quantity, 7);
    assert.equal((await stock.get(product.tu_id, { location: 'hall~1' })).variants.length, 2);
    assert.deepEqual(
      (await stock.levels({ sku: 'TEE-R' }).toArray()).map(({ quantity }) => quantity),
      [7],
    );
    assert.equal((await stock.movements(product.tu_id).toArray()).length, 1);
    await variants.delete(red.tu_id);
    await assert.rejects(variants.delete(red.tu_id), (error) => isBrandportError(error, 'not_found'));
    const read = await products.get(product.tu_id);
    assert.equal(read.variants.length, 1);
  });

  it('keep names and values that need escaping', async () => {
    const { brandport } = await newBrand();
    const { products } = brandport.catalog;
    const sku = 'Ärmel & Co. +100% /#?';
    const product = await products.create({ sku, title: '👕 \u2028 "Tee"' });
    assert.equal(product.title, '👕 \u2028 "Tee"');
    assert.equal((await products.list({ sku }).toArray())[0]?.tu_id, product.tu_id);
    assert.throws(() => products.get('..'), TypeError);
    assert.throws(() => products.get(''), TypeError);
    await assert.rejects(products.get('a/b?c#d'), (error) => isBrandportError(error, 'not_found'));
  });

  it('read conditionally and strictly', async () => {
    const { brandport } = await newBrand({ strict: true });
    const { products } = brandport.catalog;
    const { tu_id: tuId } = await products.create({ sku: 'A' });
    const { response } = await products.get(tuId).withResponse();
    const etag = response.headers.get('etag') ?? '';
    await assert.rejects(products.get(tuId, { ifNoneMatch: etag }), (error) =>
      isBrandportError(error, 'not_modified'),
    );
    const misspelt = { sku: 'B', tittle: 'B' };
    await assert.rejects(products.create(misspelt), (error) => {
      assert.ok(isBrandportError(error, 'validation_failed'));
      return 'tittle' in error.errors;
    });
    const warnings: unknown[] = [];
    const lenient = (await newBrand({ hooks: { onWarning: (event) => warnings.push(event) } })).brandport;
    await lenient.catalog.products.create(misspelt);
    assert.deepEqual(warnings, [
      { kind: 'ignored_names', operation: 'createProduct', names: ['body.tittle'] },
    ]);
  });
});
