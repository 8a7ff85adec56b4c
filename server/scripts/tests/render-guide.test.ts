import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markdownWithLinks, pageLink, titleOf } from '../built-pages/guide-library.ts';
import { renderGuide } from '../built-pages/render-guide.ts';

const render = (markdown: string, slug = 'page') => renderGuide({ slug, title: titleOf(markdown), markdown });

describe('a rendered guide', () => {
  it('shows HTML of the source as text', () => {
    const { html } = render(
      '# A\n\n<script>alert(1)</script>\n\nx <b onclick="y">z</b> `<i>` [l](javascript:a"b)',
    );
    assert.doesNotMatch(html, /<script|<b |<i>|"b/);
    assert.match(html, /&lt;script&gt;/);
    assert.match(html, /<code>&lt;i&gt;<\/code>/);
  });

  it('has an id for each heading, as GitHub has, also for repeated ones', () => {
    const { headings } = render('# T\n\n## Is it `a_b`, really?\n\n## Same\n\n### Same\n\n## Größe & Farbe');
    assert.deepEqual(
      headings.map(({ level, id }) => [level, id]),
      [
        [2, 'is-it-a_b-really'],
        [2, 'same'],
        [3, 'same-1'],
        [2, 'größe--farbe'],
      ],
    );
  });

  it('marks the words of code in the languages that it knows, and no others', () => {
    const { html } = render(
      '```json\n{"a<b": 1}\n```\n\n```text\n{"a<b": 1}\n```\n\n```sh not-run: no\n# <i>\n```',
    );
    assert.match(
      html,
      /<span class="hljs-attr">&quot;a&lt;b&quot;<\/span>.*<span class="hljs-number">1<\/span>/,
    );
    assert.match(html, /<code>{&quot;a&lt;b&quot;: 1}<\/code>/);
    assert.match(html, /<span class="hljs-comment"># &lt;i&gt;<\/span>/);
  });

  it('lets the keyboard scroll code and tables', () => {
    const { html } = render('```sh\ncurl <x>\n```\n\n| a |\n|---|\n| b |');
    assert.match(html, /<pre tabindex="0"[^>]*><code>curl &lt;x&gt;<\/code><\/pre>/);
    assert.match(html, /<div class="table" tabindex="0"/);
  });
});

describe('a link of a guide', () => {
  const cases: [href: string, slug: string, expected: string][] = [
    ['pagination.md', 'quick-start', 'pagination'],
    ['pagination.md#cursors', 'quick-start', 'pagination#cursors'],
    ['../errors.md', 'errors/not_found', '../errors'],
    ['README.md', 'quick-start', './'],
    ['../README.md#x', 'errors/a', '../#x'],
    ['#here', 'quick-start', '#here'],
    ['/docs/', 'quick-start', '../'],
    ['/docs/search?q=429', 'errors/a', '../../search?q=429'],
    ['/openapi.json', '', '../../openapi.json'],
    ['https://www.rfc-editor.org/x.md', 'a', 'https://www.rfc-editor.org/x.md'],
  ];
  for (const [href, slug, expected] of cases)
    it(`to ${href} is ${expected} on the page "${slug}"`, () => assert.equal(pageLink(href, slug), expected));

  it('keeps `.md` in the Markdown, where the index is index.md', () => {
    const text = '[a](b.md#c) [i](README.md) [j](../README.md#x) [r](/docs/) [o](/openapi.json)';
    assert.equal(
      markdownWithLinks(text, 'p'),
      '[a](b.md#c) [i](index.md) [j](../index.md#x) [r](../) [o](../../openapi.json)',
    );
  });
});
