/** One thing that the search finds: a section of a guide, or an operation. */
export interface SearchEntry {
  readonly kind: 'guide' | 'error' | 'operation';
  /** The title of the page, or method and path of the operation. */
  readonly title: string;
  /** The heading of the section; an empty string for the beginning of a page. */
  readonly section: string;
  /** Relative to the folder `docs/`. */
  readonly url: string;
  /** Plain text. */
  readonly text: string;
}
