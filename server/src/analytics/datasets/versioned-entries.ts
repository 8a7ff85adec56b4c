/** The entries of one brand, as they are at one version. */
interface BrandEntries<Entry> {
  readonly version: string;
  /** null: there is no such entry. */
  readonly byId: Map<number, Entry | null>;
}

/**
 * Keeps entries of brands by id while the version of their brand stays the same [D212]. Bounded by the number of entries of
 * all brands; the brands that were not read for the longest time are dropped.
 */
export class VersionedEntries<Entry> {
  readonly #most: number;
  /** The brand that was read last is the last one. */
  readonly #brands = new Map<number, BrandEntries<Entry>>();
  #size = 0;

  /** @param most the entries that are kept; 0 = none */
  constructor(most: number) {
    this.#most = most;
  }

  /** The number of entries that are kept, including those that do not exist. */
  get size(): number {
    return this.#size;
  }

  /**
   * Returns the entries of the ids that exist. Those that are not kept at `version` are read by `readMissing`.
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
    for (const [id, entry] of read) found.set(id, entry);
    this.#keep(
      brandId,
      version,
      [...missing].map((id) => [id, read.get(id) ?? null] as const),
    );
    return found;
  }

  #entriesOf(brandId: number, version: string): ReadonlyMap<number, Entry | null> | undefined {
    const brand = this.#brands.get(brandId);
    if (brand?.version !== version) return undefined;
    this.#brands.delete(brandId);
    this.#brands.set(brandId, brand);
    return brand.byId;
  }

  #keep(brandId: number, version: string, entries: readonly (readonly [number, Entry | null])[]): void {
    if (entries.length > this.#most) return;
    const byId = this.#entriesOf(brandId, version) ?? this.#begin(brandId, version);
    for (const [id, entry] of entries) {
      if (!byId.has(id)) this.#size += 1;
      (byId as Map<number, Entry | null>).set(id, entry);
    }
    for (const [oldest] of this.#brands) {
      if (this.#size <= this.#most) break;
      this.#drop(oldest);
    }
  }

  #begin(brandId: number, version: string): Map<number, Entry | null> {
    this.#drop(brandId);
    const byId = new Map<number, Entry | null>();
    this.#brands.set(brandId, { version, byId });
    return byId;
  }

  #drop(brandId: number): void {
    this.#size -= this.#brands.get(brandId)?.byId.size ?? 0;
    this.#brands.delete(brandId);
  }
}
