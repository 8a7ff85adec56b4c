import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { Brandport, EmbeddedVariant, Product, ProductListItem } from '@brandport/client';
import { PlanWriter } from './plan-writer.ts';

/** The axes and variants of a product. */
export type Detail = Pick<Product, 'axes' | 'variants'>;

interface Kept {
  readonly updated_at: string;
  readonly offset: number;
  readonly length: number;
}

/**
 * Reads the axes and variants of products, one request each, and keeps them in a file for the next plan: a change of a
 * product's axes or variants changes its `updated_at`, which the list of products has. An ETag would save nothing here: a
 * conditional read counts as a read.
 */
export class DetailCache {
  readonly #brandport: Brandport;
  readonly #index = new Map<string, Kept>();
  readonly #writer: PlanWriter;
  readonly #file: number | null;

  /** @param path null: nothing is kept */
  constructor(brandport: Brandport, path: string | null) {
    this.#brandport = brandport;
    this.#file = path !== null && existsSync(path) ? openSync(path, 'r') : null;
    if (this.#file !== null) this.#readIndex(this.#file);
    this.#writer = new PlanWriter(path);
  }

  async read({ tu_id: tuId, updated_at: updatedAt }: ProductListItem, signal?: AbortSignal): Promise<Detail> {
    const detail = this.#find(tuId, updatedAt) ?? (await this.#fetch(tuId, signal));
    this.#writer.line({
      tu_id: tuId,
      updated_at: detail.updated_at,
      axes: detail.axes,
      variants: detail.variants,
    });
    return detail;
  }

  /** Makes what was read durable. Products that were not read are no longer kept. */
  save(): void {
    this.#writer.finish();
  }

  close(): void {
    this.#writer.discard();
    if (this.#file !== null) closeSync(this.#file);
  }

  async #fetch(tuId: string, signal: AbortSignal | undefined) {
    const { updated_at, axes, variants } = await this.#brandport.catalog.products.get(tuId, { signal });
    return { updated_at, axes, variants: variants.map(compact) };
  }

  #find(tuId: string, updatedAt: string): (Detail & { updated_at: string }) | null {
    const kept = this.#index.get(tuId);
    if (kept === undefined || kept.updated_at !== updatedAt || this.#file === null) return null;
    const bytes = Buffer.allocUnsafe(kept.length);
    readSync(this.#file, bytes, 0, kept.length, kept.offset);
    return JSON.parse(bytes.toString()) as Detail & { updated_at: string };
  }

  /** A last line that is cut, or a file of another kind, is left out. */
  #readIndex(file: number): void {
    const chunk = Buffer.allocUnsafe(1 << 20);
    let rest = Buffer.alloc(0);
    let offset = 0;
    for (let count = readSync(file, chunk); count > 0; count = readSync(file, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, count)]);
      let start = 0;
      for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
        const [, tuId, updatedAt] =
          /^\{"tu_id":"([\w-]+)","updated_at":"([^"]+)"/.exec(
            bytes.toString('latin1', start, Math.min(end, start + 120)),
          ) ?? [];
        if (tuId !== undefined && updatedAt !== undefined)
          this.#index.set(tuId, { updated_at: updatedAt, offset: offset + start, length: end - start });
        start = end + 1;
      }
      offset += start;
      rest = bytes.subarray(start);
    }
  }
}

/** Leaves out what depends on stock: it changes without the product's time. */
function compact({ availability: _, ...variant }: EmbeddedVariant): EmbeddedVariant {
  return { ...variant, availability: { status: null } };
}
