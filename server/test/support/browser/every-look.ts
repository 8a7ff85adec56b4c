import assert from 'node:assert/strict';
import { findViolations } from './accessibility.ts';
import type { WatchedPage } from './watched-page.ts';

/** The sizes in which each page is looked at, in CSS pixels. */
export const sizes = {
  desk: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;

interface Looks {
  readonly url: string;
  /** Resolves when the page shows what is looked at. */
  readonly whenReady: (page: WatchedPage['page']) => Promise<unknown>;
  /** Returns the file of the picture of a look, such as `desk-light`; null for none, the default. */
  readonly pictureOf?: (look: string) => string | null;
}

/**
 * Looks at a page on a desk and on a phone, by day and by night: axe finds nothing, nothing is wider than the screen, no error is
 * reported, and no other origin is asked. A scheme changes nothing but colours, so the second one is searched for their contrast
 * [D375].
 */
export async function assertWellMadeInEveryLook(
  opened: WatchedPage,
  { url, whenReady, pictureOf }: Looks,
): Promise<void> {
  const { page } = opened;
  for (const [size, schemes] of [
    ['desk', ['light', 'dark']],
    ['phone', ['dark', 'light']],
  ] as const) {
    await page.setViewportSize(sizes[size]);
    await page.emulateMedia({ colorScheme: schemes[0] });
    await page.goto(url);
    await whenReady(page);
    for (const scheme of schemes) {
      const look = `${size}-${scheme}`;
      await page.emulateMedia({ colorScheme: scheme });
      const picture = pictureOf?.(look) ?? null;
      if (picture !== null) await page.screenshot({ path: picture, fullPage: true });
      const faults = await findViolations(page, scheme === schemes[0] ? undefined : ['color-contrast']);
      assert.equal(faults.length, 0, `${url}, ${look}:\n${faults.join('\n')}`);
      const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      assert.equal(await page.evaluate(wider), 0, `${url}, ${look}: pixels wider than the screen`);
    }
  }
  opened.assertNoProblems();
}
