import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cookie } from 'playwright-core';
import { findChromium, startChromium } from '../../../server/test/support/browser/chromium.ts';
import type { PageOptions, WatchedPage } from '../../../server/test/support/browser/watched-page.ts';
import {
  processAdminToken,
  type ServerProcess,
  startServerProcess,
} from '../../../server/test/support/server-process.ts';
import { consoleDir } from '../../scripts/vite-options.ts';
import { ensureBuilt } from './built-console.ts';

/** The two sizes in which each page is looked at. */
const sizes = {
  desk: { width: 1400, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

/** Each size with another scheme: the rules of accessibility for colours do not depend on the size. */
const looks = [
  ['desk', 'light'],
  ['phone', 'dark'],
] as const;

export interface ConsoleKit {
  readonly server: ServerProcess;
  /** Opens a page of the console, `/brands`, as the configured administrator. */
  open(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Opens a page of the console without a session. */
  openSignedOut(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Checks the current state of a page as `inspect` does. */
  assertWellMade(opened: WatchedPage, name: string): Promise<void>;
  /**
   * Looks at a page on a desk by day and on a phone by night: it obeys the policy, is accessible, does not scroll sideways, and
   * asks no other origin. Saves its screenshots in `console/screenshots`, which is not committed.
   */
  inspect(
    path: string,
    name: string,
    whenReady: (page: WatchedPage['page']) => Promise<unknown>,
  ): Promise<void>;
}

/** The folder of the screenshots. */
const screenshotDir = join(consoleDir, 'screenshots');

/** Finds Chromium; null skips the tests of the caller, as in every test of a served page. */
export const program = findChromium();

/** The browser's report of a request that a session which does not exist has sent. */
const isSignedOut = (problem: string) => problem.includes('401');

/** Starts a server as a user does, and one browser. Both stop with the test file. */
export async function startConsole(env: Readonly<Record<string, string>> = {}): Promise<ConsoleKit> {
  if (program === null) throw new Error('Chromium is not installed');
  const [server, browser] = await Promise.all([
    startServerProcess({ env }),
    startChromium({ program }),
    ensureBuilt(),
    mkdir(screenshotDir, { recursive: true }),
  ]);
  const address = (path: string) => `${server.internalUrl}/console${path}`;
  let cookies: Promise<readonly Cookie[]> | undefined;
  /** One page shows everything that a test inspects: a new profile for each page loads the console again. */
  let inspected: Promise<WatchedPage> | undefined;

  const openSignedOut: ConsoleKit['openSignedOut'] = (path, options) =>
    browser.open(address(path), { viewport: sizes.desk, isExpected: isSignedOut, ...options });

  /** Signs in once for the file: the server refuses an eleventh attempt in a minute. */
  async function signIn(): Promise<readonly Cookie[]> {
    const { page, close } = await openSignedOut('/');
    await page.getByLabel('Administrator token').fill(processAdminToken);
    await page.keyboard.press('Enter');
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    const found = await page.context().cookies();
    await close();
    return found;
  }

  const open: ConsoleKit['open'] = async (path, options) => {
    cookies ??= signIn();
    return browser.open(address(path), { viewport: sizes.desk, cookies: await cookies, ...options });
  };

  return {
    server,
    open,
    openSignedOut,
    assertWellMade: (opened, name) => assertWellMade(opened, join(screenshotDir, `${name}.png`)),
    inspect: async (path, name, whenReady) => {
      // It is closed with the test that opened it.
      if ((await inspected)?.page.isClosed() === true) inspected = undefined;
      inspected ??= open('/');
      const opened = await inspected;
      const { page } = opened;
      await page.setViewportSize(sizes[looks[0][0]]);
      await page.emulateMedia({ colorScheme: looks[0][1] });
      await page.goto(address(path));
      for (const [size, colorScheme] of looks) {
        await page.setViewportSize(sizes[size]);
        await page.emulateMedia({ colorScheme });
        await whenReady(page);
        await assertWellMade(opened, join(screenshotDir, `${name}-${size}-${colorScheme}.png`));
      }
    },
  };
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function assertWellMade(opened: WatchedPage, screenshot: string): Promise<void> {
  await opened.page.screenshot({ path: screenshot });
  await opened.assertAccessible();
  if ((await opened.page.evaluate(overflow)) !== 0) throw new Error(`${screenshot} scrolls sideways`);
  opened.assertNoProblems();
}

/** The token of the configured administrator. */
export const adminToken = processAdminToken;
