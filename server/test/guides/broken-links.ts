/** A response, as far as the check of links reads it. */
export interface ServedPage {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const root = 'http://listener.test';

/**
 * Visits the pages and, from them, every page of the listener's documentation that they link to. Links of other kinds, such as
 * Markdown and scripts, are requested but not followed.
 * @returns every link to an address that is not served, or to an id that the page does not have
 */
export async function brokenLinks(
  starts: readonly string[],
  request: (path: string) => Promise<ServedPage>,
): Promise<{ readonly problems: readonly string[]; readonly visited: number }> {
  const pages = new Map<string, ServedPage>();
  const problems = new Set<string>();
  const waiting = starts.map((path) => ({ path, from: 'the start', hash: '' }));
  for (let link = waiting.pop(); link !== undefined; link = waiting.pop()) {
    const { path, from, hash } = link;
    const known = pages.get(path);
    const page = known ?? (await request(path));
    pages.set(path, page);
    if (page.status !== 200) problems.add(`${from}: ${path} is ${page.status}`);
    else if (hash !== '' && !page.body.includes(`id="${hash}"`))
      problems.add(`${from}: ${path} has no #${hash}`);
    if (known !== undefined || !page.type.startsWith('text/html') || !path.includes('/docs/')) continue;
    for (const [, href = ''] of page.body.matchAll(/\s(?:href|src)="([^"]*)"/g)) {
      const url = new URL(href.replaceAll('&amp;', '&'), root + path);
      if (url.origin !== root) continue;
      const next = url.pathname + url.search;
      waiting.push({ path: next, from: path, hash: decodeURIComponent(url.hash.slice(1)) });
    }
  }
  return { problems: [...problems].sort(), visited: pages.size };
}
