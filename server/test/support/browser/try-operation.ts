import { STATUS_CODES } from 'node:http';
import type { Page, Request } from 'playwright-core';

/** A request of the reference, and its response. */
export interface TriedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly json: Record<string, unknown>;
}

/** Opens the form of an operation of the reference, with the values of its examples. */
export async function openForm(page: Page, id: string): Promise<void> {
  // A link of an error page, followed.
  await page.evaluate(`location.hash = '#${id}'`);
  await page
    .locator(`[id$="/${id}"]`)
    .getByRole('button', { name: /^Test Request/ })
    .click();
}

/** Sends the request of the open form, once for each call. */
export async function sendForm(page: Page): Promise<TriedRequest> {
  const isCall = (request: Request) => request.url().includes('/v1/');
  const [request] = await Promise.all([
    page.waitForRequest(isCall),
    page.locator('[data-addressbar-action="send"]:visible').first().click(),
  ]);
  const response = await request.response();
  if (response === null) throw new Error(`${request.url()} got no response`);
  const json = (await response.json()) as Record<string, unknown>;
  // Until then, the button sends nothing.
  await page.getByText(`${response.status()} ${STATUS_CODES[response.status()]}`, { exact: true }).waitFor();
  return { url: request.url(), headers: await request.allHeaders(), status: response.status(), json };
}
