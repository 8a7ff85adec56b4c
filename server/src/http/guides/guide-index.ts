import { Marked, type Tokens } from 'marked';
import { plainText } from './render-guide.ts';

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
  const sections: { title: string; entries: { slug: string; title: string }[] }[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2)
      sections.push({ title: plainText(token.tokens ?? []), entries: [] });
    if (token.type === 'list')
      for (const item of (token as Tokens.List).items) {
        const link = firstLink(item);
        if (link !== undefined && /^[\w/-]+\.md$/.test(link.href))
          sections
            .at(-1)
            ?.entries.push({ slug: link.href.replace(/\.md$/, ''), title: plainText(link.tokens) });
      }
  }
  return sections.filter(({ entries }) => entries.length > 0);
}

function firstLink({ tokens }: Tokens.ListItem): Tokens.Link | undefined {
  const [block] = tokens as (Tokens.Text | undefined)[];
  const [first] = block?.tokens ?? [];
  return first?.type === 'link' ? (first as Tokens.Link) : undefined;
}
