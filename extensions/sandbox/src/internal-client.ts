/** Sends a request below `/internal/v1` and returns the body of its response; throws for a refusal. */
export type InternalCall = (method: string, path: string, body: unknown) => Promise<Record<string, unknown>>;

/** Calls the internal surface of the server, as any administrator would. */
export function internalClient(internalUrl: string, token: string): InternalCall {
  return async (method, path, body) => {
    const response = await fetch(`${internalUrl}/internal/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
}
