import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startFaultProxy } from '../../client/tests/fault-proxy.ts';
import { startSdkService } from '../../client/tests/sdk-service.ts';
import { applyPlan } from '../src/sync/apply/apply-plan.ts';
import { SyncFolder } from './sync-kit.ts';

const { apps, clientUrl, newBrand } = await startSdkService({ runsJobs: true });
after(() => apps.clientApp.close());
const folder = new SyncFolder();

const axes = folder.file('axes.csv', [
  'axis,value,label',
  'color,,Colour',
  'color,red,Red',
  'color,blue,Blue',
  'size,,Size',
  'size,S,',
  'size,M,',
]);
const locations = folder.file('locations.csv', ['external_code,name', 'paris,Paris', 'lyon,Lyon']);
const products = folder.file('products.csv', [
  'sku,title,title:sv,short_description,price_value,is_active,axis:color,axis:size,variants',
  'TEE,T-shirt,T-tröja,"Soft, light",19.5,yes,red|blue,S|M,all',
  'MUG,Mug,Mugg,,8,true,,,',
  'CAP,Cap,Keps,,12.25,false,red|blue,,',
]);
const variants = folder.file('variants.csv', [
  'product_sku,sku,axis:color,barcode,price_value,is_active',
  'CAP,CAP/red,red,731,13,true',
  'CAP,CAP/blue,blue,732,,true',
]);
const stock = folder.file('stock.csv', [
  'sku,location_code,quantity,reserved',
  'MUG,paris,14,2',
  'MUG,lyon,0,',
  'TEE-red-S,paris,3,',
  'CAP/blue,lyon,5,',
]);
const all = [axes, locations, products, variants, stock];

describe('a sync', () => {
  it('creates the whole catalog, and the second run writes nothing', async () => {
    const brand = await newBrand();
    const proxy = await startFaultProxy(clientUrl, () => null);
    const brandport = brand.connect({ baseUrl: proxy.url });
    const { planned, applied } = await folder.sync(brandport, all);
    assert.deepEqual(planned.problems, []);
    assert.equal(
      planned.summary,
      '# library 4  + create 3  + 2 variants  * generate 1 product (4 variants)  = 0 same  ↑ 1 feed of 4 lines',
    );
    assert.deepEqual(applied.failed, []);
    assert.equal(applied.written, planned.counts.writes);
    assert.deepEqual(applied.feed, { received: 4, applied: 4 });

    const { seen } = proxy;
    seen.length = 0;
    const again = await folder.sync(brandport, all);
    assert.equal(again.planned.summary, '= 9 same');
    assert.ok(again.planned.isEmpty);
    const { written } = await applyPlan({ brandport, plan: planned.out ?? '' });
    assert.equal(written, 0);
    assert.deepEqual(
      seen.filter(({ method }) => method !== 'GET'),
      [],
    );
  });
});
