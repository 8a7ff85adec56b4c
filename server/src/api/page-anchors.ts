import { OwnedCache } from '../lib/owned-cache.ts';

interface PageAnchor {
  /** The version of the list's order: while it is unchanged, the page still begins there. */
  readonly version: string;
  /** The sort key of the last row before the page. */
  readonly after: readonly unknown[];
}

/** Number of remembered page starts, some 300 bytes each. One walk needs one at a time. */
const remembered = 5_000;

/**
 * Remembers the last row of each served page, so that the next page is a keyset lookup instead of an OFFSET scan. Only a hint:
 * the statement that reads the page verifies that the order of the list has not changed [D39].
 */
export class PageAnchors {
  readonly #anchors = new OwnedCache<number, PageAnchor>(remembered);

  /** `list` names filters and order; `offset` is the number of rows before the page. */
  find(brandId: number, list: string, offset: number): PageAnchor | undefined {
    return this.#anchors.get(brandId, `${offset}/${list}`);
  }

  remember(
    brandId: number,
    list: string,
    at: { readonly offset: number; readonly anchor: PageAnchor },
  ): void {
    this.#anchors.set(brandId, `${at.offset}/${list}`, at.anchor);
  }
}
