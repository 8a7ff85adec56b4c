const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The items of a JSON body, or `field: what is wrong`. */
export function itemsOfJson(bytes: Uint8Array): readonly unknown[] | string {
  let body: unknown;
  try {
    body = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    return error instanceof SyntaxError ? 'body: must be JSON' : 'body: must be UTF-8';
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return 'body: must be a JSON object';
  const { items } = body as { items?: unknown };
  if (items === undefined) return 'items: is required';
  return Array.isArray(items) ? items : 'items: must be an array';
}

export function isItemList(result: readonly unknown[] | string): result is readonly unknown[] {
  return typeof result !== 'string';
}
