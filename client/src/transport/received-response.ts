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
