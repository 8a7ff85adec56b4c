export interface Guide {
  /** Its path below the index, such as `quick-start` or `errors/not_found`; an empty string for the index itself. */
  readonly slug: string;
  /** The first heading, as plain text. */
  readonly title: string;
  /** Links are relative to the page; those to other guides end in `.md`. */
  readonly markdown: string;
}

export function titleOf(markdown: string): string {
  const [first = ''] = markdown.split('\n', 1);
  return first.replace(/^# +/, '').replaceAll('`', '').trim();
}

/** Returns the path from a page to the folder `docs/` above the guides: `../`, or `../../` from a folder's page. */
export function pathToDocs(slug: string): string {
  return `../${'../'.repeat(slug.split('/').length - 1)}`;
}
