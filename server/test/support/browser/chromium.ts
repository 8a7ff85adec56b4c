import process from 'node:process';
import { after } from 'node:test';
import { chromium } from 'playwright-core';
import { findSystemProgram } from '../system-program.ts';
import { openPage, type PageOptions, type WatchedPage } from './watched-page.ts';

export interface TestBrowser {
  /** Opens a page in a new profile: without cookies, cache or storage of the others. */
  open(url: string, options?: PageOptions): Promise<WatchedPage>;
}

export interface BrowserOptions {
  /** `findChromium()`. */
  readonly program: string;
  /** Host names and the port on 127.0.0.1 at which the browser finds their HTTPS port, with any certificate. */
  readonly hosts?: Readonly<Record<string, number>>;
}

/**
 * Finds the system's Chromium without the parts that draw windows, which takes two thirds of the processor time of the whole one.
 * @returns null if it is not installed; the caller skips its tests
 * @throws Error in a run that requires all programs
 */
export function findChromium(): string | null {
  return findSystemProgram('chromium-headless-shell', 'chromium-headless-shell');
}

/**
 * Starts Chromium. It reaches 127.0.0.0/24 only, each address of which is another site, and stops with the test file. Its locale
 * has UTF-8: without it, the names of downloads are lost.
 */
export async function startChromium({ program, hosts = {} }: BrowserOptions): Promise<TestBrowser> {
  const rules = [
    ...Object.entries(hosts).map(([host, port]) => `MAP ${host}:443 127.0.0.1:${port}`),
    'MAP * ~NOTFOUND',
    'EXCLUDE 127.0.0.*',
  ];
  const browser = await chromium.launch({
    executablePath: program,
    // Chromium refuses its sandbox to root, which containers of CI run as.
    chromiumSandbox: process.getuid?.() !== 0,
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: ['--disable-dev-shm-usage', `--host-resolver-rules=${rules.join(', ')}`],
  });
  after(() => browser.close());
  return { open: (url, options) => openPage(browser, url, options) };
}
