import { LRUCache } from 'lru-cache';

export interface PageAnchor {
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
  readonly #anchors = new LRUCache<string, PageAnchor>({ max: remembered });

  /** `list` names brand, filters and order; `offset` is the number of rows before the page. */
  find(list: string, offset: number): PageAnchor | undefined {
    return this.#anchors.get(`${offset}/${list}`);
  }

  remember(list: string, offset: number, anchor: PageAnchor): void {
    this.#anchors.set(`${offset}/${list}`, anchor);
  }
}
