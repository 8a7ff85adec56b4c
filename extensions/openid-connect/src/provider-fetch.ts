import type { CustomFetch } from 'openid-client';

/** Bytes of one response of the provider; the largest are its keys, a few kilobytes. */
const largestResponse = 1024 * 1024;

/** A response of the provider that did not arrive, or is no response of a provider. */
export class ProviderFault extends Error {}

/**
 * Sends a request to the identity provider and reads the whole response, within the time limit of the given signal.
 * @throws ProviderFault if the provider cannot be reached, answers with a 5xx, is too slow or sends more than 1 MiB
 */
export const providerFetch: CustomFetch = async (url, { body, ...init }) => {
  const { origin, pathname } = new URL(url);
  try {
    const response = await fetch(url, { ...init, body: body as NonNullable<RequestInit['body']> });
    const bytes = await readAll(response);
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  } catch (error) {
    throw new ProviderFault(`${init.method} ${origin}${pathname}: ${reasonOf(error)}`);
  }
};

async function readAll(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestResponse) throw new Error('the response is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the innermost reason: `fetch` wraps the refused connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
