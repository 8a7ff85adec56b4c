import { insertFeedLines } from '../../../test/support/insert-feed-lines.ts';
import type { TestApps, TestBrand } from '../../../test/support/test-apps.ts';
import { adjusted, newLocation, newSimple, setAsFeed } from '../../catalog/stock/tests/stock.ts';
import { newAxes, newParent, newVariant, ok } from '../../catalog/tests/new-axes.ts';

export interface Shop extends TestBrand {
  readonly simple: string;
  readonly parent: string;
  readonly feed: string;
  readonly name: string;
}

/** Creates a brand with every kind of derived value, under its own SKUs. */
export async function newShop(apps: TestApps, name: string): Promise<Shop> {
  const brand = await apps.newBrand({ name });
  const { client, brandId } = brand;
  await newLocation(client, 'WH');
  await newLocation(client, 'CLOSED', { is_active: false });
  const simple = await newSimple(client, `${name}-S`);
  await ok(client.patch(`/catalog/products/${simple.tu_id}`, { is_active: true }));
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 5 });
  await adjusted(client, simple.tu_id, { location: 'WH', quantity: 3 });
  await adjusted(client, simple.tu_id, { location: 'CLOSED', quantity: 9 });
  await newAxes(client, { size: ['s', 'm', 'l'] });
  const parent = await newParent(client, { size: ['s', 'm', 'l'] }, { sku: `${name}-P` });
  const variant = (size: string, fields: object) =>
    newVariant(client, parent.tu_id, { sku: `${name}-${size}`, axis_values: { size }, ...fields });
  await variant('s', { is_active: true, price: { value: 12.5 } });
  const m = await variant('m', { is_active: true });
  const l = await variant('l', {});
  await setAsFeed(apps, brandId, { sku: `${name}-s`, location: 'WH', quantity: 7, reserved: 2 });
  await adjusted(client, parent.tu_id, { variant: m.tu_id, quantity: 4 });
  await adjusted(client, parent.tu_id, { variant: l.tu_id, quantity: 6 });
  await ok(client.delete(`/catalog/variants/${l.tu_id}`), 204);
  const feed = `feed-${name}`.padEnd(21, '0').slice(0, 21);
  await apps.sql(
    `with feed as (
       insert into stock_feeds (brand_id, tu_id, batch_id, lines_sha256, source, status, received_lines, next_line,
         totals, received_at, finished_at)
       values ($1, $2, 'batch', '', 'erp', 'completed', 3, 3, '{"applied": 2, "unknown_sku": 1}', now(), now())
       returning id
     )
     ${insertFeedLines(`select $1::integer, feed.id, n, 'x', 'WH', 1, now(), case n when 2 then 'unknown_sku' else 'applied' end
     from feed, generate_series(0, 2) n`)}`,
    [brandId, feed],
  );
  return { ...brand, simple: simple.tu_id, parent: parent.tu_id, feed, name };
}

/** Damage to a shop, and what the doctor finds. */
export interface Spoiling {
  readonly what: string;
  /** `$1` is the brand. */
  readonly spoil: string;
  readonly found: (shop: Shop) => string[];
}
