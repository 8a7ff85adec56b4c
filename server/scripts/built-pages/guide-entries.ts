import { Marked, type Token, type Tokens } from 'marked';
import type { DescribedOperation } from '../../src/api/operation.ts';
import { errorCatalogue } from '../../src/errors/error-catalogue.ts';
import type { SearchEntry } from '../../src/http/guides/guide-search.ts';
import type { Guide } from './guide-library.ts';
import { plainText, renderGuide } from './render-guide.ts';

/** Returns an entry for the beginning of a guide and one for each section below a heading of the second level. */
export function guideEntries(guide: Guide): SearchEntry[] {
  const { slug, title, markdown } = guide;
  const code = slug.startsWith('errors/') ? slug.slice('errors/'.length) : null;
  const kind = code === null ? 'guide' : 'error';
  const status = code === null ? '' : ` ${errorCatalogue[code as keyof typeof errorCatalogue].status}`;
  const ids = renderGuide(guide).headings.filter(({ level }) => level === 2);
  const sections: { section: string; id: string; text: string[] }[] = [{ section: '', id: '', text: [] }];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type === 'heading' && token['depth'] === 2) {
      const heading = ids[sections.length - 1];
      sections.push({ section: heading?.text ?? '', id: `#${heading?.id}`, text: [] });
    } else if (token.type !== 'heading' || token['depth'] !== 1) sections.at(-1)?.text.push(blockText(token));
  }
  return sections.map(({ section, id, text }) => ({
    kind,
    title: `${title}${status}`,
    section,
    url: `guides/${slug}${id}`,
    text: text.join(' ').replaceAll(/\s+/g, ' ').trim(),
  }));
}

/** Returns an entry for each operation. @param prefix that of their paths */
export function operationEntries(prefix: string, operations: readonly DescribedOperation[]): SearchEntry[] {
  return operations.map(({ id, method, path, summary, description, tag }) => ({
    kind: 'operation',
    title: `${method} ${(prefix + path).replaceAll(/:(\w+)/g, '{$1}')}`,
    section: summary,
    url: `./#${id}`,
    text: `${tag}. ${description}`,
  }));
}

function blockText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flatMap((row) => row.map(({ tokens }) => plainText(tokens))).join(' ');
  }
  if (token.type === 'list')
    return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(' ');
  return 'tokens' in token && token.tokens !== undefined
    ? plainText(token.tokens)
    : String('text' in token ? token.text : '');
}
