import { escapeHtml } from '../../src/http/html.ts';
import { type Guide, type IndexSection, pathToDocs } from './guide-library.ts';
import { type GuideHeading, renderGuide } from './render-guide.ts';

export interface PageFrame {
  readonly sections: readonly IndexSection[];
  /** Changes with the bytes of the style sheet and the script. */
  readonly assetVersion: string;
  /** Operators read the guides next to the console. */
  readonly hasConsole: boolean;
}

/** Returns a guide as the page that is served. */
export function guidePage(guide: Guide, frame: PageFrame): string {
  const { html, headings } = renderGuide(guide);
  const { slug, title } = guide;
  const source = `${lastSegment(slug)}.md`;
  return framedPage(
    { ...frame, title, slug, pageContents: contents(headings) },
    `${html}${footer(slug, source)}`,
  );
}

interface FramedPage extends PageFrame {
  readonly title: string;
  /** The page's place below the index, which decides its relative links; the search page is outside of that folder. */
  readonly slug: string;
  /** HTML after the main part. */
  readonly pageContents?: string;
  /** The text in the field of the search, as HTML. */
  readonly query?: string;
  /** The path from the page to the folder `docs/`; default: that of a guide. */
  readonly toDocs?: string;
}

/** Returns the page of results with `{{title}}`, `{{query}}` and `{{main}}` for what a search puts there, as HTML. */
export function searchTemplate(frame: PageFrame): string {
  const places = { title: '{{title}}', query: '{{query}}' };
  return framedPage({ ...frame, ...places, slug: 'search', toDocs: './' }, '{{main}}');
}

/** Puts `main`, which is HTML, into the frame that all pages share. */
function framedPage(page: FramedPage, main: string): string {
  const { title, slug, sections, assetVersion, hasConsole, pageContents = '', query = '' } = page;
  const toDocs = page.toDocs ?? pathToDocs(slug);
  const guides = `${toDocs}guides/`;
  const version = `?v=${assetVersion}`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}${slug === '' ? '' : ' - Brandport guides'}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${guides}guides.css${version}">
    <script src="${guides}guides.js${version}" defer></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header class="top">
      <a class="wordmark" href="${guides}">Brandport guides</a>
      <a href="${toDocs}">API reference</a>${hasConsole ? `\n      <a href="${toDocs}../../console/">Console</a>` : ''}
      <form role="search" action="${toDocs}search">
        <label class="hidden" for="q">Search the documentation</label>
        <input id="q" name="q" type="search" maxlength="200" placeholder="Search" value="${query}">
        <button>Search</button>
      </form>
    </header>
    <div class="columns">
      <main id="main" tabindex="-1">
${main}      </main>
      ${navigation(sections, guides, slug)}
      ${pageContents}
    </div>
  </body>
</html>
`;
}

function navigation(sections: readonly IndexSection[], guides: string, current: string): string {
  const lists = sections.map(({ title, entries }) => {
    const items = entries.map(
      ({ slug, title: name }) =>
        `<li><a href="${guides}${slug}"${slug === current ? ' aria-current="page"' : ''}>${escapeHtml(name)}</a></li>`,
    );
    return `<h2>${escapeHtml(title)}</h2><ul>${items.join('')}</ul>`;
  });
  return `<nav class="guides" aria-label="Guides">${lists.join('\n')}</nav>`;
}

function contents(headings: readonly GuideHeading[]): string {
  const listed = headings.filter(({ level }) => level <= 3);
  if (listed.length < 3) return '';
  const items = listed.map(
    ({ level, id, text }) => `<li class="level-${level}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<nav aria-label="On this page"><h2>On this page</h2><ul>${items.join('')}</ul></nav>`;
}

function footer(slug: string, source: string): string {
  const root = `../${pathToDocs(slug)}`;
  return `<footer>This page as <a href="${source}">Markdown</a>. All pages for language models: <a href="${root}llms.txt">llms.txt</a>.</footer>\n`;
}

function lastSegment(slug: string): string {
  return slug.split('/').at(-1) || 'index';
}
