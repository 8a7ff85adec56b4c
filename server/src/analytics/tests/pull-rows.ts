import type { ApiClient } from '../../../test/support/api-client.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it.
type Row = any;

/** Reads a keyset list [analytics-21]: repeats the query with `cursor` until it is null. */
export async function walk(
  client: ApiClient,
  path: string,
  query: Record<string, string>,
  betweenPages: () => Promise<void> = async () => {},
): Promise<{ rows: Row[]; pages: number }> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  for (let pages = 1; ; pages += 1) {
    const parameters = new URLSearchParams({ ...query, ...(cursor !== null && { cursor }) });
    const { status, json, text } = await client.get(`${path}?${parameters}`);
    if (status !== 200) throw new Error(`page ${pages}: ${status} ${text}`);
    rows.push(...json.data);
    cursor = json.meta.next_cursor;
    if (cursor === null) return { rows, pages };
    await betweenPages();
  }
}

/** Reads an offset list to its end. */
export async function listAll(
  client: ApiClient,
  path: string,
  query: Record<string, string>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let page = 1; ; page += 1) {
    const { status, json, text } = await client.get(
      `${path}?${new URLSearchParams({ ...query, page: String(page) })}`,
    );
    if (status !== 200) throw new Error(`page ${page}: ${status} ${text}`);
    rows.push(...json.data);
    if (page >= json.meta.last_page) return rows;
  }
}
