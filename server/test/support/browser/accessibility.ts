import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Elements shown for each violation. */
const shown = 5;

/**
 * Runs axe's rules for WCAG 2.2 AA and its best practices on the whole page, or only the given ones.
 * @returns a line for each violation and its first elements
 */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  return (await runAxe(page, rules)).map(({ id, help, nodes }) =>
    [
      `${id}: ${help} (${nodes.length})`,
      ...nodes.slice(0, shown).map(({ html, failureSummary }) => `  ${html}\n    ${failureSummary ?? ''}`),
    ].join('\n'),
  );
}

async function runAxe(page: Page, rules?: readonly string[]): Promise<axe.Result[]> {
  // Only where it is needed: it has 580 KB, which each page would parse again.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`)) as {
    violations: axe.Result[];
  };
  return violations;
}
