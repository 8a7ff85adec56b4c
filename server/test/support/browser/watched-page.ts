import assert from 'node:assert/strict';
import { after } from 'node:test';
import type { Browser, Cookie, Page } from 'playwright-core';
import { findViolations } from './accessibility.ts';

export interface PageOptions {
  /** Default: `light`. */
  readonly colorScheme?: 'light' | 'dark';
  /** Default: 1280 by 900. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Default: that of this process. */
  readonly timezoneId?: string;
  /** The cookies of another page's profile. */
  readonly cookies?: readonly Cookie[];
  /** Problems that the test provokes, such as the 401 of a session that has ended. They are not recorded. */
  readonly isExpected?: (problem: string) => boolean;
}

/** The width and height of a small phone, in CSS pixels. */
export const phone = { width: 360, height: 740 } as const;

export interface WatchedPage {
  /** Playwright's page, to look and click. */
  readonly page: Page;
  /** Everything the browser complained about since the page was opened. */
  problems(): readonly string[];
  /**
   * Fails if the browser reported a breach of the content security policy, an error on the console, an uncaught exception, a
   * resource that did not load (other than one that the page cancelled), or a request to another origin.
   */
  assertNoProblems(): void;
  /** Runs axe on the page in its current state; fails with every violation and its first elements. */
  assertAccessible(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a page, and records its problems from the first byte on. */
export async function openPage(
  browser: Browser,
  url: string,
  options: PageOptions = {},
): Promise<WatchedPage> {
  const { colorScheme = 'light', viewport = { width: 1280, height: 900 } } = options;
  const { cookies = [], isExpected = () => false } = options;
  const context = await browser.newContext({
    colorScheme,
    viewport,
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    ...(options.timezoneId !== undefined && { timezoneId: options.timezoneId }),
  });
  after(() => context.close());
  await context.addCookies([...cookies]);
  const page = await context.newPage();
  const problems: string[] = [];
  const record = (problem: string) => {
    if (!isExpected(problem)) problems.push(problem);
  };
  const { origin } = new URL(url);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.text().startsWith(policyMark))
      record(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => record(`uncaught: ${error.message}`));
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // The page itself cancels what it no longer shows, such as a poll under way when the route changes.
    if (reason !== 'net::ERR_ABORTED') record(`failed: ${request.url()} ${reason}`);
  });
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (asked.protocol.startsWith('http') && asked.origin !== origin)
      record(`another origin: ${request.url()}`);
  });
  // An init script is exempt from the page's policy, other than a script tag.
  await page.addInitScript(reportPolicyBreaches);
  await page.goto(url, { waitUntil: 'load' });
  return {
    page,
    problems: () => problems,
    assertNoProblems: () => assert.deepEqual(problems, [], `${url}:\n${problems.join('\n')}`),
    assertAccessible: async () => {
      const violations = await findViolations(page);
      assert.equal(violations.length, 0, `${page.url()}, ${colorScheme}:\n${violations.join('\n')}`);
    },
    close: () => context.close(),
  };
}

const policyMark = 'content security policy:';

const reportPolicyBreaches = `addEventListener('securitypolicyviolation', (event) =>
  console.log('${policyMark}', event.violatedDirective, event.blockedURI, event.sourceFile, event.lineNumber, event.sample));`;
