import { pathToDocs } from './guide.ts';

/**
 * Returns a link of a guide's source as the page needs it. Links to other guides lose `.md`, a link to a folder's
 * `README.md` leads to the folder, and links that begin with `/` lead to other pages of the listener: they become relative,
 * so that every page works below any prefix of a proxy.
 */
export function pageLink(href: string, slug: string): string {
  if (isElsewhere(href) || href.startsWith('#')) return href;
  if (href.startsWith('/')) return fromRoot(href, slug);
  return href
    .replace(/(^|\/)README\.md(?=#|$)/, (_match, slash: string) => slash || './')
    .replace(/\.md(?=#|$)/, '');
}

/** Rewrites the links of a source for its `.md` address, where other guides are found with `.md` too. */
export function markdownWithLinks(markdown: string, slug: string): string {
  return markdown
    .replaceAll(/\]\((\/[^)\s]*)\)/g, (_match, href: string) => `](${fromRoot(href, slug)})`)
    .replaceAll(
      /\]\(((?:[\w./-]*\/)?)README\.md(#[^)]*)?\)/g,
      (_match, path: string, hash = '') => `](${path}index.md${hash})`,
    );
}

function isElsewhere(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href);
}

/** `/docs/…` and its siblings, such as `/openapi.json`, relative to the page. */
function fromRoot(href: string, slug: string): string {
  const docs = '/docs/';
  return href.startsWith(docs)
    ? `${pathToDocs(slug)}${href.slice(docs.length)}`
    : `../${pathToDocs(slug)}${href.slice(1)}`;
}
