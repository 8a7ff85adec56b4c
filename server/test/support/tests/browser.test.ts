// processes: starts a browser
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { findChromium, startChromium } from '../browser/chromium.ts';
import { listeningUrl } from '../listening-url.ts';
import { waitFor } from '../wait-for.ts';

const program = findChromium();

const page = (body: string) =>
  `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><main><h1>A page</h1>${body}</main></body></html>`;

const pages: Readonly<Record<string, string>> = {
  '/fine': page('<p>Nothing is wrong.</p><script src="/fine.js"></script>'),
  '/fine.js': 'document.title += "!";',
  '/eval': page('<script src="/eval.js"></script>'),
  '/eval.js': 'try { eval("1") } catch {}',
  '/inline': page('<script>document.title = "inline"</script>'),
  '/throws': page('<script src="/throws.js"></script>'),
  '/throws.js': 'throw new Error("thrown by the script")',
  '/missing': page('<script src="/nothing.js"></script>'),
  '/elsewhere': page('<script src="/elsewhere.js"></script>'),
  '/elsewhere.js': 'fetch("http://elsewhere.test/").catch(() => {})',
  '/pale': page('<p style="color:#aaa;background:#fff">Hardly legible.</p>'),
};

describe('the browser of the tests', { skip: program === null }, async () => {
  if (program === null) return;
  const server = createServer(({ url = '' }, response) => {
    response.setHeader('content-security-policy', "script-src 'self'");
    response.setHeader('content-type', url.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.statusCode = pages[url] === undefined ? 404 : 200;
    response.end(pages[url]);
  });
  const root = await listeningUrl(server);
  const browser = await startChromium({ program });

  it('finds nothing wrong with a page that is in order', async () => {
    const opened = await browser.open(`${root}/fine`);
    assert.equal(await opened.page.title(), 'A page!');
    opened.assertNoProblems();
    await opened.assertAccessible();
  });

  for (const [path, problem] of [
    ['/eval', /^content security policy: script-src eval /],
    ['/inline', /^content security policy: script-src-elem inline /],
    ['/throws', /^uncaught: thrown by the script/],
    ['/missing', /404/],
    ['/elsewhere', /^another origin: http:\/\/elsewhere\.test\//],
  ] as const)
    it(`reports what is wrong with ${path}`, async () => {
      const opened = await browser.open(root + path);
      // The browser reports a breach of the policy after the page has loaded.
      await waitFor(String(problem), () => opened.problems().some((one) => problem.test(one)));
      assert.throws(() => opened.assertNoProblems());
    });

  it('reports text that is hard to read', async () => {
    const opened = await browser.open(`${root}/pale`);
    await assert.rejects(opened.assertAccessible(), /color-contrast/);
  });
});
