import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Defines `axe` in a page. */
export const axeScript = { content: axe.source };

/** Elements shown for each violation. */
const shown = 5;

/**
 * Runs axe's rules for WCAG 2.2 AA and its best practices on the whole page.
 * @returns a line for each violation and its first elements
 */
export async function findViolations(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as {
    violations: axe.Result[];
  };
  return violations.map(({ id, help, nodes }) =>
    [
      `${id}: ${help} (${nodes.length})`,
      ...nodes.slice(0, shown).map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary ?? ''}`),
    ].join('\n'),
  );
}
