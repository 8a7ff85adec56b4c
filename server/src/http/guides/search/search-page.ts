import { escapeHtml } from '../../docs/html.ts';
import { framedPage, type PageFrame } from '../guide-page.ts';
import { excerptOf } from './excerpt.ts';
import type { SearchEntry } from './search-index.ts';

const kinds: Readonly<Record<SearchEntry['kind'], string>> = {
  guide: 'Guide',
  error: 'Error',
  operation: 'Operation',
};

/** Returns the page of results; it needs no script. `query` is the client's text. */
export function searchPage(query: string, results: readonly SearchEntry[], frame: PageFrame): string {
  const title = query === '' ? 'Search' : `Search: ${query}`;
  const main = `<h1>${escapeHtml(title)}</h1>\n${content(query, results)}`;
  return framedPage({ ...frame, title, slug: 'search', query, toDocs: './' }, main);
}

function content(query: string, results: readonly SearchEntry[]): string {
  if (query === '') return '<p>Search the guides, the error codes and the operations.</p>\n';
  if (results.length === 0) return nothingFound;
  const items = results.map((entry) => {
    const { kind, title, section, url } = entry;
    const name = section === '' ? title : `${title}: ${section}`;
    const excerpt = excerptOf(entry, query)
      .map(({ text, isMatch }) => (isMatch ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text)))
      .join('');
    return `<li><a href="${escapeHtml(url)}">${escapeHtml(name)}</a> <span class="kind">${kinds[kind]}</span><br>${excerpt}</li>`;
  });
  const count = results.length === 1 ? '1 result' : `${results.length} results`;
  return `<p role="status">${count}, the best first.</p>\n<ol class="results">\n${items.join('\n')}\n</ol>\n`;
}

const nothingFound = `<p role="status">Nothing found.</p>
<ul>
  <li>Use fewer words, or the beginning of a word.</li>
  <li>Search for a code, such as <a href="?q=duplicate_sku">duplicate_sku</a>, or a status, such as <a href="?q=429">429</a>.</li>
  <li>See the list of <a href="guides/">all guides</a>, of <a href="guides/errors">all error codes</a>, or the <a href="./">API reference</a>.</li>
</ul>
`;
