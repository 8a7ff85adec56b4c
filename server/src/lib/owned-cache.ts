interface Entry<Value> {
  readonly value: Value;
  readonly size: number;
}

interface Owned<Value> {
  /** The least recently used first. */
  readonly entries: Map<string, Entry<Value>>;
  size: number;
}

/**
 * A cache that owners share [D294]. When it is full, the owner with the most in it loses its least recently used entry: an owner
 * that fills it displaces nobody else's entries.
 */
export class OwnedCache<Owner, Value> {
  readonly #maxSize: number;
  readonly #owners = new Map<Owner, Owned<Value>>();
  #size = 0;
  #count = 0;

  /** `maxSize`: of all entries, in the unit of `set`. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of entries. */
  get count(): number {
    return this.#count;
  }

  get(owner: Owner, key: string): Value | undefined {
    const owned = this.#owners.get(owner);
    const entry = owned?.entries.get(key);
    if (owned === undefined || entry === undefined) return undefined;
    owned.entries.delete(key);
    owned.entries.set(key, entry);
    return entry.value;
  }

  has(owner: Owner, key: string): boolean {
    return this.#owners.get(owner)?.entries.has(key) === true;
  }

  /** Keeps a value of a size, at least 1. One that does not fit into the whole cache is not kept. */
  set(owner: Owner, key: string, value: Value, size = 1): void {
    this.delete(owner, key);
    if (size > this.#maxSize) return;
    const owned = this.#owners.get(owner) ?? { entries: new Map(), size: 0 };
    this.#owners.set(owner, owned);
    owned.entries.set(key, { value, size });
    owned.size += size;
    this.#size += size;
    this.#count += 1;
    while (this.#size > this.#maxSize) this.#shrinkLargest();
  }

  delete(owner: Owner, key: string): void {
    const owned = this.#owners.get(owner);
    const entry = owned?.entries.get(key);
    if (owned === undefined || entry === undefined) return;
    owned.entries.delete(key);
    owned.size -= entry.size;
    this.#size -= entry.size;
    this.#count -= 1;
    if (owned.entries.size === 0) this.#owners.delete(owner);
  }

  /** Takes some microseconds with a thousand owners. */
  #shrinkLargest(): void {
    let largest: [Owner, Owned<Value>] | undefined;
    for (const one of this.#owners) if (largest === undefined || one[1].size > largest[1].size) largest = one;
    if (largest === undefined) return;
    const [owner, { entries }] = largest;
    const [oldest] = entries.keys();
    if (oldest !== undefined) this.delete(owner, oldest);
  }
}
