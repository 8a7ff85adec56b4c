import { type GuideLibrary, markdownWithLinks } from './guide-library.ts';

const summary =
  'REST and JSON API for the back-office systems of a brand: catalog, stock and learning analytics. Every key belongs to one brand.';

/** Returns `llms.txt` (llmstxt.org): the list of all pages as Markdown. Links are relative to the root of the listener. */
export function llmsText({ guides, sections }: GuideLibrary): string {
  const lists = sections.map(({ title, entries }) => {
    const items = entries.map(({ slug }) => `- [${guides.get(slug)?.title}](docs/guides/${slug}.md)`);
    return `## ${title}\n\n${items.join('\n')}`;
  });
  const codes = [...guides.keys()].filter((slug) => slug.startsWith('errors/'));
  const errors = codes.map((slug) => `- [${guides.get(slug)?.title}](docs/guides/${slug}.md)`);
  return `# Brandport

> ${summary}

All pages in one file: [llms-full.txt](llms-full.txt). Every operation, with schemas and examples: [openapi.json](openapi.json).

${lists.join('\n\n')}

## Error codes

${errors.join('\n')}
`;
}

/** Returns all pages in one text, each below a line with its address. */
export function llmsFullText({ guides }: GuideLibrary): string {
  return [...guides.values()]
    .map(
      ({ slug, markdown }) =>
        `<!-- docs/guides/${slug || 'index'}.md -->\n\n${markdownWithLinks(markdown, slug).trim()}\n`,
    )
    .join('\n');
}
