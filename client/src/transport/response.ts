/** A response whose body has been read completely. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly requestId: string | null;
  readonly text: string;
  /** Returns the parsed body; undefined if it is not JSON. */
  json(): unknown;
}

/** Reads a response to its end. @throws the failure of the connection */
export async function receive(response: Response): Promise<ReceivedResponse> {
  const text = await response.text();
  let parsed: { readonly value: unknown } | null = null;
  return {
    status: response.status,
    headers: response.headers,
    requestId: response.headers.get('x-request-id'),
    text,
    json: () => {
      parsed ??= { value: parse(text) };
      return parsed.value;
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isSuccess({ status }: ReceivedResponse): boolean {
  return status >= 200 && status < 300;
}

const retryableStatuses: readonly number[] = [408, 429, 500, 502, 503, 504];

/** Returns whether the same request may succeed later. */
export function isRetryableResponse(response: ReceivedResponse): boolean {
  if (retryableStatuses.includes(response.status)) return true;
  return response.status === 409 && codeOf(response.json()) === 'idempotency_conflict';
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

/** Returns the wait that `Retry-After` asks for, in milliseconds; null without the header. */
export function retryAfterMs(headers: Headers, now: number = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // A proxy may send a date. It is compared with the `Date` of the same response, since clocks differ.
  const at = Date.parse(text);
  if (Number.isNaN(at)) return null;
  return Math.max(0, at - serverTime(headers, now));
}

/** Returns the server's clock when it sent the response, truncated to seconds; the local clock without a `Date`. */
export function serverTime(headers: Headers, now: number = Date.now()): number {
  const date = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? now : date;
}
