/**
 * Returns an idempotency key for content: the same for equal values, regardless of the order of their properties. A process
 * that died can derive the keys of its writes again. The service keeps a key for 24 hours: after that, the same key
 * writes again.
 * @param parts JSON values, such as the name of an import and the body of the call
 */
export async function keyFrom(...parts: readonly unknown[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts, sorted));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sorted(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
