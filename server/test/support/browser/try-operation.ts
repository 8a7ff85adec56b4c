import type { Page } from 'playwright-core';
import { waitFor } from '../wait-for.ts';

/** Fills the form of an operation on the page of the reference and sends it. Returns the answer that the page shows. */
export async function tryOperation(
  page: Page,
  id: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const form = page.locator(`section[aria-labelledby="${id}"] .try`);
  if ((await form.getAttribute('open')) === null) await form.locator('> summary').click();
  for (const [name, value] of Object.entries(fields)) await form.getByLabel(name).fill(value);
  const answer = form.locator('.answer');
  const before = await answer.innerHTML();
  await form.getByRole('button').click();
  await waitFor('the answer', async () => (await answer.innerHTML()) !== before);
  return answer.innerText();
}
