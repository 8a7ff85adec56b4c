import { statement } from '../postgres/statement.ts';
import type { Transaction } from '../postgres/transaction.ts';

/** The stamps and defaults for changes of one brand's products. */
export interface CatalogStamp {
  /** The `updated_at` of the brand's first change, milliseconds since the Unix epoch; each further one is 1 ms later. */
  readonly firstAt: number;
  readonly currency: string;
  readonly defaultLanguage: string;
}

/**
 * The catalog locks of several brands, held to the end of the transaction. Only `tryBeginCatalogChanges` returns one: a
 * function that takes it cannot be called without the locks.
 */
class HeldCatalogs {
  /** The private field makes the type nominal: no object literal satisfies it. */
  readonly #tx: Transaction;
  /** Keyed by brand id, without brands whose catalog is not locked. */
  readonly stamps: ReadonlyMap<number, CatalogStamp>;

  constructor(tx: Transaction, stamps: ReadonlyMap<number, CatalogStamp>) {
    this.#tx = tx;
    this.stamps = stamps;
  }

  get tx(): Transaction {
    return this.#tx;
  }
}

export type CatalogWrites = HeldCatalogs;

/**
 * Takes the catalog locks of several brands and stamps their changes, as `beginCatalogChange` does for one, but never
 * waits: a brand whose catalog another transaction has locked, or that has no change yet, is left out [D91]. It needs
 * no turn for that reason.
 *
 * `counts`: the number of changes of each brand, by brand id. Every change has its own stamp [catalog-26] [D9].
 */
export async function tryBeginCatalogChanges(
  tx: Transaction,
  counts: ReadonlyMap<number, number>,
): Promise<CatalogWrites> {
  const rows = await tx.run(
    statement<{ brand_id: number; last_at: Date; count: number; currency: string; default_language: string }>(
      'try_begin_catalog_changes',
      `with locked as materialized (
         select w.brand_id, w.count, c.place
         from unnest($1::integer[], $2::integer[]) as w (brand_id, count)
         cross join lateral (
           select c.ctid as place from brand_catalogs c where c.brand_id = w.brand_id
           offset 0
           for no key update skip locked
         ) c
       ), changed as (
         update brand_catalogs c
         set version = c.version + 1,
             changed_at = greatest(now_ms(), c.changed_at + interval '1 millisecond')
               + (l.count - 1) * interval '1 millisecond'
         from locked l
         where c.ctid = l.place and c.brand_id = l.brand_id
         returning c.brand_id, c.changed_at as last_at, l.count
       )
       select c.brand_id, c.last_at, c.count, b.currency, b.default_language
       from changed c cross join lateral (
         select b.currency, b.default_language from brands b where b.id = c.brand_id offset 0
       ) b`,
      [[...counts.keys()], [...counts.values()]],
    ),
  );
  const stamps = rows.map(({ brand_id, last_at, count, currency, default_language }) => {
    const firstAt = last_at.getTime() - (count - 1);
    return [brand_id, { firstAt, currency, defaultLanguage: default_language }] as const;
  });
  return new HeldCatalogs(tx, new Map(stamps));
}
