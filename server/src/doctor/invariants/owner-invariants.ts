import type { MainInvariant } from './invariant.ts';
import { levelScan, scan } from './scan.ts';

export const ownerInvariants: readonly MainInvariant[] = [
  {
    id: 'movement_owners',
    tables: ['stock_movements', 'stock_levels'],
    holds: 'A movement and its level belong to the same product and variant.',
    finds: [
      {
        scan: scan('stock_movements', 'id', 20_000),
        sql: `select m.id::text as key, m.sku || ' @ ' || m.location_code || ' movement ' || m.id as id,
          f.field, f.stored, f.actual, false as is_repairable
        from stock_movements m
        join stock_levels l on l.brand_id = m.brand_id and l.id = m.level_id
        cross join lateral (values
          ('product_id', m.product_id, l.product_id), ('variant_id', m.variant_id, l.variant_id)
        ) as f (field, stored, actual)
        where m.brand_id = $1 and m.id > $2 and m.id <= $3 and f.stored is distinct from f.actual
        order by m.id`,
      },
    ],
    repair: null,
  },
  {
    id: 'level_owners',
    tables: ['stock_levels', 'variants'],
    holds: "A level's variant is a variant of the level's product.",
    finds: [
      {
        scan: levelScan,
        sql: `select l.id::text as key, l.sku || ' @ ' || l.location_code as id, 'product_id' as field,
          l.product_id::text as stored, v.product_id::text as actual, false as is_repairable
        from stock_levels l
        join variants v on v.brand_id = l.brand_id and v.id = l.variant_id
        where l.brand_id = $1 and l.id > $2 and l.id <= $3 and v.product_id <> l.product_id
        order by l.id`,
      },
    ],
    repair: null,
  },
];
