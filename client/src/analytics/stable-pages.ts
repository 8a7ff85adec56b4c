import { BrandportError } from '../errors/brandport-error.ts';
import type { Page } from '../pages/pages.ts';

/** Returns the revision of the rows in the window of a page; null if the service does not send it. */
export function revisionOf({ response }: Page<unknown, unknown>): string | null {
  return response.headers.get('brandport-window-revision');
}

/**
 * Passes the pages of one walk through, as long as all show the window at the same revision.
 * @throws BrandportError `window_changed` if the days were aggregated again during the walk: its rows are a mixture
 */
export async function* stablePages<P extends Page<unknown, unknown>>(
  pages: AsyncIterable<P>,
): AsyncGenerator<P, void, undefined> {
  let first: string | null | undefined;
  for await (const page of pages) {
    const revision = revisionOf(page);
    first ??= revision;
    if (revision !== first)
      throw new BrandportError({
        code: 'window_changed',
        message: 'The days were aggregated again while their pages were read.',
        retryable: true,
      });
    yield page;
  }
}
