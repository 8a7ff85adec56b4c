import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Brandport, EmbeddedVariant, Product, ProductListItem } from '@brandport/client';
import { parsedJson } from '../../json-files.ts';

/** The axes and variants of a product. */
export type Detail = Pick<Product, 'axes' | 'variants'>;

type Remembered = Detail & Pick<Product, 'tu_id' | 'updated_at'>;

interface Place {
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads the axes and variants of products, one request each, and remembers them in a file for the next sync: a change of a
 * product's axes or variants changes its `updated_at`, which the list of products has [D149]. Memory holds the place of each.
 * What is damaged is read again; without a folder that can be written, nothing is remembered.
 */
export class ProductMemory {
  /** The requests so far. */
  fetched = 0;
  readonly #brandport: Brandport;
  readonly #path: string;
  readonly #known: number | null;
  readonly #next: number | null;
  readonly #places = new Map<string, Place>();

  private constructor(brandport: Brandport, path: string) {
    this.#brandport = brandport;
    this.#path = path;
    this.#known = opened(() => openSync(path, 'r'));
    // Two syncs write separate files; the last to finish wins.
    this.#next = opened(() => {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      rmSync(this.#draft, { force: true });
      return openSync(this.#draft, 'wx', 0o600);
    });
  }

  static async open(brandport: Brandport, path: string): Promise<ProductMemory> {
    const memory = new ProductMemory(brandport, path);
    await memory.#readPlaces();
    return memory;
  }

  get #draft(): string {
    return `${this.#path}.new`;
  }

  /** Returns the detail of a product of the list. @throws BrandportError */
  async read(product: ProductListItem, signal?: AbortSignal): Promise<Detail> {
    const detail = this.#find(product) ?? (await this.#fetch(product.tu_id, signal));
    this.#write(detail);
    return detail;
  }

  /** Keeps what is known of a product that this sync does not compare. */
  keep(product: ProductListItem): void {
    const detail = this.#find(product);
    if (detail !== null) this.#write(detail);
  }

  /** Replaces the file by what was read and kept. */
  save(): void {
    if (this.#next === null) return;
    try {
      renameSync(this.#draft, this.#path);
    } catch {
      // Another sync has moved it already.
    }
  }

  close(): void {
    if (this.#known !== null) closeSync(this.#known);
    if (this.#next !== null) closeSync(this.#next);
  }

  async #fetch(tuId: string, signal: AbortSignal | undefined): Promise<Remembered> {
    this.fetched += 1;
    const product = await this.#brandport.catalog.products.get(tuId, { signal });
    const { tu_id, updated_at, axes, variants } = product;
    return { tu_id, updated_at, axes, variants: variants.map(withoutStock) };
  }

  #write(detail: Remembered): void {
    if (this.#next !== null) writeSync(this.#next, `${JSON.stringify(detail)}\n`);
  }

  #find({ tu_id: tuId, updated_at: updatedAt }: ProductListItem): Remembered | null {
    const place = this.#places.get(tuId);
    if (place === undefined || this.#known === null) return null;
    const bytes = Buffer.alloc(place.length);
    readSync(this.#known, bytes, 0, place.length, place.offset);
    const one = parsedJson(bytes.toString()) as Partial<Remembered> | null;
    const isWhole = Array.isArray(one?.axes) && Array.isArray(one.variants);
    return isWhole && one.tu_id === tuId && one.updated_at === updatedAt ? (one as Remembered) : null;
  }

  async #readPlaces(): Promise<void> {
    if (this.#known === null) return;
    let offset = 0;
    let rest = Buffer.alloc(0);
    const stream = createReadStream('', { fd: this.#known, autoClose: false, start: 0 });
    for await (const chunk of stream) {
      const bytes = Buffer.concat([rest, chunk as Buffer]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        const head = bytes.toString('latin1', start, Math.min(end, start + 60));
        const [, tuId] = /^\{"tu_id":"([\w-]+)",/.exec(head) ?? [];
        if (tuId !== undefined) this.#places.set(tuId, { offset: offset + start, length: end - start });
        start = end + 1;
      }
      offset += start;
      rest = bytes.subarray(start);
    }
  }
}

/** Returns null for a file that cannot be opened: there is none yet, or the folder cannot be written. */
function opened(open: () => number): number | null {
  try {
    return open();
  } catch {
    return null;
  }
}

/** Leaves out what depends on stock: it changes without the product's time. */
function withoutStock({ availability: _, ...variant }: EmbeddedVariant): EmbeddedVariant {
  return { ...variant, availability: { status: null } };
}
