import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ensureBuilt } from '../../../console/tests/support/built-console.ts';
import { findChromium, startChromium } from '../../../server/test/support/browser/chromium.ts';
import { startSandboxProcess } from './sandbox-process.ts';

const program = findChromium();

it('names itself in the head of the console', { skip: program === null }, async () => {
  if (program === null) return;
  await ensureBuilt();
  const [sandbox, browser] = await Promise.all([startSandboxProcess('--empty'), startChromium({ program })]);
  const isExpected = (problem: string) => problem.includes('401');
  const { page, close } = await browser.open(`${sandbox.internalUrl}/console/`, { isExpected });
  await page.getByLabel('Administrator token').fill(sandbox.adminToken);
  await page.keyboard.press('Enter');
  const wordmark = page.locator('.wordmark');
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  assert.equal((await wordmark.textContent())?.trim(), 'Brandport sandbox');
  await close();
});
