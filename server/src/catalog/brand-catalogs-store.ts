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
 * The catalog locks of several brands, held to the end of the transaction. Only `tryLockCatalogs` returns one: a
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
 * Takes the catalog locks of several brands, as `beginCatalogChange` does for one, but never waits: a brand whose catalog
 * another transaction has locked, or that has no change yet, is left out [D91]. It needs no turn for that reason.
 *
 * The stamps are later than those of all changes committed before [catalog-26] [D9]. They are written with the changes, by
 * `insertProducts`: a brand whose changes are all refused keeps its version.
 */
export async function tryLockCatalogs(tx: Transaction, brandIds: readonly number[]): Promise<CatalogWrites> {
  const rows = await tx.run(
    statement<{ brand_id: number; first_at: Date; currency: string; default_language: string }>(
      'try_lock_catalogs',
      `select w.brand_id, greatest(now_ms(), c.changed_at + interval '1 millisecond') as first_at, b.currency,
         b.default_language
       from unnest($1::integer[]) as w (brand_id)
       cross join lateral (
         select c.changed_at from brand_catalogs c where c.brand_id = w.brand_id
         offset 0
         for no key update skip locked
       ) c
       cross join lateral (
         select b.currency, b.default_language from brands b where b.id = w.brand_id
         offset 0
       ) b`,
      [brandIds],
    ),
  );
  const stamps = rows.map(({ brand_id, first_at, currency, default_language }) => {
    return [brand_id, { firstAt: first_at.getTime(), currency, defaultLanguage: default_language }] as const;
  });
  return new HeldCatalogs(tx, new Map(stamps));
}
