// processes: starts a browser
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertWellMadeInEveryLook } from '../../server/test/support/browser/every-look.ts';
import { program, startConsole } from './support/console-kit.ts';
import { type FilledConsole, fillConsole } from './support/fill-console.ts';

/** What the addresses of pages choose that show little without a choice. */
const choices: Readonly<Record<string, (filled: FilledConsole) => Record<string, string>>> = {
  '/brands/$brandId/explain': ({ sku, location }) => ({ sku, location }),
  '/brands/$brandId/datasets': ({ day }) => ({ from: day, to: day }),
};

describe('every page of the console', { skip: program === null }, async () => {
  if (program === null) return;
  const { server, open, openSignedOut, inspect } = await startConsole();
  const filled = await fillConsole(server);
  const first = await open('/');
  await first.page.getByRole('heading', { name: 'Home' }).waitFor();
  // The router's own list: a page that is added there is looked at.
  const routes = (await first.page.evaluate('Object.keys(__TSR_ROUTER__.routesByPath)')) as string[];
  await first.close();
  assert.ok(routes.length > 30, `${routes}`);

  for (const route of routes)
    it(`${route} is well made in every look`, async () => {
      const path = route.replaceAll(/\$(\w+)/g, (_, name: keyof FilledConsole) =>
        encodeURIComponent(filled[name]),
      );
      const name = route.replaceAll(/\W+/g, '-').replace(/^-/, '') || 'home';
      await inspect(`${path}?${new URLSearchParams(choices[route]?.(filled))}`, name, async (page) => {
        await waitForPage(page);
        assert.doesNotMatch(await page.locator('.page h1').innerText(), /^There is no/);
      });
    });

  it('also the sign-in is', async () => {
    const opened = await openSignedOut('/');
    await assertWellMadeInEveryLook(opened, {
      url: `${server.internalUrl}/console/`,
      whenReady: (page) => page.getByLabel('Administrator token').waitFor(),
    });
    await opened.close();
  });
});

/** Waits until all parts of a page are read and drawn. */
async function waitForPage(page: Page): Promise<void> {
  await page.locator('.page h1:not(:text-is("…"))').waitFor();
  for (const unfinished of ['.loading', '.chart:not(:has(canvas))'])
    await page.locator(unfinished).first().waitFor({ state: 'detached' });
}
