/** One section of the index, with its guides in the order of the list. */
export interface IndexSection {
  readonly title: string;
  readonly entries: readonly { readonly slug: string; readonly title: string }[];
}

/**
 * Reads the sections of the index page: its headings of the second level, each with a list that begins every item with a
 * link to a guide. The index is the only place that says which guides there are, and in which order.
 */
export function readIndex(markdown: string): IndexSection[] {
  const sections = markdown.split(/^## /m).slice(1);
  const read = sections.map((section) => {
    const links = section.matchAll(/^- \[(?<title>[^\]]+)\]\((?<slug>[\w/-]+)\.md\)/gm);
    const entries = links.map(({ groups }) => groups as { slug: string; title: string });
    return { title: section.slice(0, section.indexOf('\n')), entries: [...entries] };
  });
  return read.filter(({ entries }) => entries.length > 0);
}
