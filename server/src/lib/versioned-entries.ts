import { OwnedCache } from './owned-cache.ts';

/** A brand has one entry of the cache. */
const entriesKey = '';

interface BrandEntries<Entry> {
  readonly version: string;
  /** null: there is no such entry. */
  readonly byId: Map<number, Entry | null>;
}

/**
 * Keeps entries by id while the version of their brand stays the same. When there are too many, those of the brand with the most
 * go.
 */
export class VersionedEntries<Entry> {
  readonly #brands: OwnedCache<number, BrandEntries<Entry>>;

  /** @param most the entries that are kept */
  constructor(most: number) {
    this.#brands = new OwnedCache(most);
  }

  /** The number of entries that are kept, including those that do not exist. */
  get size(): number {
    return this.#brands.size;
  }

  /**
   * Entries that are not kept at `version` are read by `readMissing`.
   * @param version read before this call, from the database that `readMissing` reads
   */
  async read(
    { brandId, version }: { readonly brandId: number; readonly version: string },
    ids: Iterable<number>,
    readMissing: (ids: number[]) => Promise<ReadonlyMap<number, Entry>>,
  ): Promise<ReadonlyMap<number, Entry>> {
    const found = new Map<number, Entry>();
    const missing = new Set<number>();
    const kept = this.#entriesOf(brandId, version);
    for (const id of ids) {
      const entry = kept?.get(id);
      if (entry === undefined) missing.add(id);
      else if (entry !== null) found.set(id, entry);
    }
    if (missing.size === 0) return found;
    const read = await readMissing([...missing]);
    const byId = this.#entriesOf(brandId, version) ?? new Map<number, Entry | null>();
    for (const id of missing) byId.set(id, read.get(id) ?? null);
    this.#brands.set(brandId, entriesKey, { version, byId }, byId.size);
    for (const [id, entry] of read) found.set(id, entry);
    return found;
  }

  #entriesOf(brandId: number, version: string): Map<number, Entry | null> | undefined {
    const brand = this.#brands.get(brandId, entriesKey);
    return brand?.version === version ? brand.byId : undefined;
  }
}
