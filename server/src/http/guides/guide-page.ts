import type { FastifyReply, FastifyRequest } from 'fastify';
import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import { Marked, type Token, type Tokens } from 'marked';
import { parseTagList } from '../../lib/entity-tags.ts';
import { sha256 } from '../../lib/secrets.ts';
import { chooseCoding, KeptBody } from '../compression.ts';
import { escapeHtml } from '../html.ts';
import { withPageHeaders } from '../page-headers.ts';
import { localRoot } from '../proxies.ts';
import { type Guide, type IndexSection, pageLink, pathToDocs } from './guide-library.ts';

/** The languages of the guides' code blocks, by the names that stand there. */
const languages = { sh: bash, http, js: javascript, json, ndjson: json, python, sql };

for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

interface GuideHeading {
  /** 2 or 3. */
  readonly level: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

interface RenderedGuide {
  readonly html: string;
  /** The headings below the title, in order. */
  readonly headings: readonly GuideHeading[];
}

/**
 * Renders a page's Markdown to HTML. HTML in the source is shown as text; headings have the ids that GitHub gives them; code
 * blocks and tables, which may be wider than the page, can be scrolled with the keyboard.
 */
export function renderGuide({ slug, markdown }: Guide): RenderedGuide {
  const headings: GuideHeading[] = [];
  const ids = new Set<string>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth }) {
        const text = plainText(tokens);
        const id = uniqueId(text, ids);
        if (depth > 1) headings.push({ level: depth, id, text });
        const inner = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${inner}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(pageLink(href, slug))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ');
        const label = `Code${language === '' ? '' : `, ${escapeHtml(language)}`}`;
        return `<div class="code"><pre tabindex="0" role="group" aria-label="${label}"><code>${highlight(text, language)}</code></pre></div>\n`;
      },
      table(token) {
        const row = (cells: readonly Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        // An empty head would be a table without headings for screen readers.
        const hasHead = token.header.some(({ text }) => text !== '');
        const head = hasHead ? `<thead>${row(token.header, 'th')}</thead>` : '';
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { html, headings };
}

export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if ('tokens' in token && token.tokens !== undefined) return plainText(token.tokens);
      return 'text' in token ? String(token.text) : token.raw;
    })
    .join('');
}

/** Returns the id that GitHub gives a heading with this text; a repeated one ends in its number. */
function uniqueId(text: string, taken: Set<string>): string {
  const base = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
  let id = base;
  for (let number = 1; taken.has(id); number += 1) id = `${base}-${number}`;
  taken.add(id);
  return id;
}

/** Returns code as HTML with its words marked by class; in other languages, as text. */
function highlight(code: string, language: string): string {
  if (!Object.hasOwn(languages, language)) return escapeHtml(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}

/** Restricts the pages to resources of this origin; scripts and styles must not be inside of a page. */
export const guidePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

export interface PageFrame {
  readonly sections: readonly IndexSection[];
  /** Changes with the bytes of the style sheet and the script. */
  readonly assetVersion: string;
  /** Operators read the guides next to the console. */
  readonly hasConsole: boolean;
}

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
  /** The text in the field of the search. */
  readonly query?: string;
  /** The path from the page to the folder `docs/`; default: that of a guide. */
  readonly toDocs?: string;
}

/** Puts `main`, which is HTML, into the frame that all pages share. */
export function framedPage(page: FramedPage, main: string): string {
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
        <input id="q" name="q" type="search" maxlength="200" placeholder="Search" value="${escapeHtml(query)}">
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

/** A constant body with its entity tag; it is compressed once for each coding. */
export class ServedPage {
  readonly #body: KeptBody;
  readonly #contentType: string;
  /** Changes when the bytes change. */
  readonly version: string;

  constructor(text: string, contentType: string) {
    this.#body = new KeptBody(text);
    this.#contentType = `${contentType}; charset=utf-8`;
    this.version = versionOf(this.#body.bytes);
  }

  /** @param root replaces the address of a local server; such a page is made for each request, and not kept */
  async send(request: FastifyRequest, reply: FastifyReply, root = localRoot): Promise<FastifyReply> {
    const { bytes } = this.#body;
    const other = bytes.includes(localRoot) ? bytes.toString().replaceAll(localRoot, root) : null;
    const { coding } = chooseCoding(request.headers['accept-encoding']);
    const tag = `"${other === null ? this.version : versionOf(other)}"`;
    withPageHeaders(reply, guidePolicy).header('etag', coding === null ? tag : `W/${tag}`);
    const known = parseTagList(request.headers['if-none-match']);
    if (known === '*' || known?.includes(tag) === true) return reply.code(304).send();
    reply.type(this.#contentType);
    return other === null ? this.#body.send(request, reply) : reply.send(other);
  }
}

function versionOf(bytes: Buffer | string): string {
  return sha256(bytes).toString('base64url').slice(0, 22);
}
