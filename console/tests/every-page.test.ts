// nightly: looks at every page in a browser
import assert from 'node:assert/strict';
import { join } from 'node:path';
import process from 'node:process';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { assertWellMadeInEveryLook } from '../../server/test/support/browser/every-look.ts';
import { consoleDir } from '../scripts/vite-options.ts';
import { program, screenshotOf, startConsole } from './support/console-kit.ts';
import { type FilledConsole, fillConsole } from './support/fill-console.ts';

/** The search parameters of pages that show little without them. */
const choices: Readonly<Record<string, (filled: FilledConsole) => Record<string, string>>> = {
  '/brands/$brandId/explain': ({ sku, location }) => ({ sku, location }),
  '/brands/$brandId/datasets': ({ day }) => ({ from: day, to: day }),
};

/** The pages of which `docs/` has a picture: its file, and its height in pixels. `UPDATE_PICTURES=1` takes them. */
const pictures: Readonly<Record<string, readonly [file: string, height: number]>> = {
  '/': ['console.png', 840],
  '/brands/$brandId/explain': ['console-explain.png', 720],
  '/brands/$brandId/feeds/$feedId': ['console-feed.png', 720],
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
      const address = `${path}?${new URLSearchParams(choices[route]?.(filled))}`;
      await inspect(address, name, async (page) => {
        await waitForPage(page);
        assert.doesNotMatch(await page.locator('.page h1').innerText(), /^There is no/);
      });
      const picture = pictures[route];
      if (picture === undefined || process.env['UPDATE_PICTURES'] === undefined) return;
      const { page, close } = await open(address, { viewport: { width: 1280, height: picture[1] } });
      await waitForPage(page);
      await page.screenshot({ path: join(consoleDir, '../docs', picture[0]) });
      await close();
    });

  it('also the sign-in is', async () => {
    const opened = await openSignedOut('/');
    await assertWellMadeInEveryLook(opened, {
      url: `${server.internalUrl}/console/`,
      whenReady: (page) => page.getByLabel('Administrator token').waitFor(),
      pictureOf: (look) => screenshotOf(`sign-in-${look}`),
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
