/**
 * Remembers keys that were noted recently, by a hash of 32 bits in a table of fixed size: a key is forgotten when another
 * one takes its slot, and one in 2^32 pairs of keys is confused. For decisions that only cost time when they are wrong.
 */
export class RecentKeys {
  readonly #hashes: Uint32Array;

  /** @param slots a power of two; each takes 4 bytes */
  constructor(slots: number) {
    this.#hashes = new Uint32Array(slots);
  }

  /** Notes the key; returns whether it was noted recently. */
  note(key: string): boolean {
    const hash = hashOf(key);
    const slot = hash & (this.#hashes.length - 1);
    const isKnown = this.#hashes[slot] === hash;
    this.#hashes[slot] = hash;
    return isKnown;
  }
}

/** FNV-1a over UTF-16 code units. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i += 1) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
  // The high bits depend on all characters; the low ones, which choose the slot, do so less.
  return (hash ^ (hash >>> 15)) >>> 0;
}
