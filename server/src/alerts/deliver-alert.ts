import { createHmac } from 'node:crypto';

const timeoutMs = 10_000;

export interface Delivery {
  readonly url: string;
  readonly secrets: readonly string[];
  readonly body: string;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/**
 * Posts a signed body. Redirects are not followed, since the body would leave the address that the operator has chosen, and the
 * body of the response is not read.
 * @throws Error without the URL, which may have a secret, unless the response is 2xx within 10 s; the reason of `signal`
 */
export async function deliverAlert(
  { url, secrets, body, now }: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'brandport',
    'brandport-signature': signatureOf(secrets, body, Math.floor(now / 1_000)),
  };
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number;
  try {
    const any = AbortSignal.any([signal, timeout]);
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: any });
    status = response.status;
    await response.body?.cancel();
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error(`no response within ${timeoutMs / 1_000} s`);
    const { cause } = error as { cause?: { code?: string; message?: string } };
    throw new Error(cause?.code ?? cause?.message ?? 'connection failed');
  }
  if (status < 200 || status > 299) throw new Error(`status ${status}`);
}

/** Signs the time together with the body, once for each secret. */
function signatureOf(secrets: readonly string[], body: string, seconds: number): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  );
  return [`t=${seconds}`, ...signatures].join(',');
}
