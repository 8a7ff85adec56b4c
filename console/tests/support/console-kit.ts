import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Cookie, Page } from 'playwright-core';
import { findChromium, startChromium } from '../../../server/test/support/browser/chromium.ts';
import { assertWellMadeInEveryLook, sizes } from '../../../server/test/support/browser/every-look.ts';
import type { PageOptions, WatchedPage } from '../../../server/test/support/browser/watched-page.ts';
import { registerCanary } from '../../../server/test/support/canaries.ts';
import { sendHttp } from '../../../server/test/support/http-client.ts';
import {
  processAdminToken,
  type ServerProcess,
  startServerProcess,
} from '../../../server/test/support/server-process.ts';
import { createTestApps, type TestApps, testAdminToken } from '../../../server/test/support/test-apps.ts';
import { consoleDir } from '../../scripts/vite-options.ts';
import { ensureBuilt } from './built-console.ts';

/** The listener of the console. */
interface ConsoleServer {
  readonly internalUrl: string;
}

/** The real apps, on ports of this process. */
type ConsoleApps = TestApps & ConsoleServer;

export interface ConsoleKit<Server extends ConsoleServer> {
  readonly server: Server;
  /** Opens a page of the console, `/brands`, as the configured administrator. */
  open(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Opens a page of the console without a session. */
  openSignedOut(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Checks the current state of a page as `inspect` does. */
  assertWellMade(opened: WatchedPage, name: string): Promise<void>;
  /** Looks at a page in every look. `SCREENSHOTS=1` saves them in `console/screenshots`, which is not committed. */
  inspect(
    path: string,
    name: string,
    whenReady: (page: WatchedPage['page']) => Promise<unknown>,
  ): Promise<void>;
}

/** The folder of the screenshots. */
const screenshotDir = join(consoleDir, 'screenshots');

/** Returns the file of a picture; null unless they are asked for: to draw a whole page takes as long as to check it. */
export function screenshotOf(name: string): string | null {
  return process.env['SCREENSHOTS'] === undefined ? null : join(screenshotDir, `${name}.png`);
}

/** Finds Chromium; null skips the tests of the caller, as in every test of a served page. */
export const program = findChromium();

/** The browser's report of a request that a session which does not exist has sent. */
const isSignedOut = (problem: string) => problem.includes('401');

/** Starts the real apps, which also run jobs, and a browser. Both stop with the test file. */
export async function startConsole(
  options: Parameters<typeof createTestApps>[0] = {},
): Promise<ConsoleKit<ConsoleApps>> {
  const apps = await createTestApps({ runsJobs: true, ...options });
  const internalUrl = await apps.internalApp.listen({ host: '127.0.0.1', port: 0 });
  return openConsole({ ...apps, internalUrl }, testAdminToken);
}

/** Starts a server as a user does, for what the start of a process decides, and a browser. */
export async function startConsoleProcess(
  env: Readonly<Record<string, string>> = {},
): Promise<ConsoleKit<ServerProcess>> {
  return openConsole(await startServerProcess({ env }), processAdminToken);
}

async function openConsole<Server extends ConsoleServer>(
  server: Server,
  adminToken: string,
): Promise<ConsoleKit<Server>> {
  if (program === null) throw new Error('Chromium is not installed');
  const [browser] = await Promise.all([
    startChromium({ program }),
    ensureBuilt(),
    mkdir(screenshotDir, { recursive: true }),
  ]);
  const address = (path: string) => `${server.internalUrl}/console${path}`;
  let cookies: Promise<readonly Cookie[]> | undefined;
  /** One page shows everything that a test inspects: a new profile for each page loads the console again. */
  let inspected: WatchedPage | undefined;

  const openSignedOut: ConsoleKit<Server>['openSignedOut'] = (path, options) =>
    browser.open(address(path), { viewport: sizes.desk, isExpected: isSignedOut, ...options });

  const open: ConsoleKit<Server>['open'] = async (path, options) => {
    // Once for the file: the server refuses an eleventh attempt in a minute.
    cookies ??= signIn(server.internalUrl, adminToken);
    return browser.open(address(path), { viewport: sizes.desk, cookies: await cookies, ...options });
  };

  return {
    server,
    open,
    openSignedOut,
    assertWellMade,
    inspect: async (path, name, whenReady) => {
      // It is closed with the test that opened it.
      if (inspected === undefined || inspected.page.isClosed()) inspected = await open(path);
      await assertWellMadeInEveryLook(inspected, {
        url: address(path),
        whenReady,
        pictureOf: (look) => screenshotOf(`${name}-${look}`),
      });
    },
  };
}

/** Chooses a value of a filter by its words. */
export async function choose(page: Page, filter: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${filter}: `) }).click();
  await page.getByRole('option', { name: option }).first().click();
}

/** Begins an action of a page's menu. */
export async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Types the ends of a filter by time, by their labels, and applies them. */
export async function typeTime(
  page: Page,
  filter: string,
  ends: Readonly<Record<string, string>>,
): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${filter}: `) }).click();
  for (const [label, text] of Object.entries(ends)) await page.getByLabel(label).fill(text);
  await page.getByRole('button', { name: 'Apply' }).click();
}

/** Types a value of a filter that takes any, and chooses it. */
export async function type(page: Page, filter: string, text: string): Promise<void> {
  await page.getByRole('combobox', { name: new RegExp(`^${filter}: `) }).click();
  await page.getByRole('combobox', { name: filter, exact: true }).fill(text);
  await page
    .getByRole('option', { name: `“${text}”` })
    .or(page.getByRole('option', { name: text }))
    .first()
    .click();
}

/** Signs in as the page does, without the load of a page. */
async function signIn(internalUrl: string, token: string): Promise<readonly Cookie[]> {
  const response = await sendHttp(`${internalUrl}/console/session`, { method: 'POST', body: { token } });
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(String(response.headers['set-cookie'])) ?? [];
  if (value === '') throw new Error(`not signed in: ${response.text}`);
  registerCanary(value);
  return [
    {
      name,
      value,
      domain: '127.0.0.1',
      path: '/',
      expires: -1,
      httpOnly: true,
      secure: false,
      sameSite: 'Strict',
    },
  ];
}

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function assertWellMade(opened: WatchedPage, name: string): Promise<void> {
  const screenshot = screenshotOf(name);
  if (screenshot !== null) await opened.page.screenshot({ path: screenshot, fullPage: true });
  await opened.assertAccessible();
  if ((await opened.page.evaluate(overflow)) !== 0) throw new Error(`${name} scrolls sideways`);
  opened.assertNoProblems();
}
