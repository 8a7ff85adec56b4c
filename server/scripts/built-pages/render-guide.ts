import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import { Marked, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../../src/http/html.ts';
import { type Guide, pageLink } from './guide-library.ts';

/** The languages of the guides' code blocks, by the names that stand there. */
const languages = { sh: bash, http, js: javascript, json, ndjson: json, python, sql };

for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

export interface GuideHeading {
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
