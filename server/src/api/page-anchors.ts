import { LRUCache } from 'lru-cache';

/** Where a page of a list begins. */
export interface PageAnchor {
  /** Of the order of the list: while it is the same, the page still begins there. */
  readonly version: string;
  /** The sort key of the last row before the page. */
  readonly after: readonly unknown[];
}

/** Pages whose beginning is remembered, some 300 bytes each. One walk needs one of them at a time. */
const remembered = 5_000;

/**
 * Remembers where the page begins that follows one just served, so that who walks a long list need not pay for all the rows
 * before it again and again. Only a hint: whoever uses it proves, in the statement that reads the page, that the order of
 * the list has not changed since [D39]. Kept in this process and for the pages served last; without it a page is merely slower.
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
