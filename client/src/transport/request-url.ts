export type QueryValue = string | number | boolean | readonly string[] | undefined | null;

/** An operation, from its line in the generated table. */
export interface Route {
  readonly method: string;
  /** With placeholders, such as `/v1/client/catalog/products/{tuId}`. */
  readonly path: string;
  readonly takesKey: boolean;
  /** The response is not JSON. */
  readonly isText: boolean;
}

/** Parses a line of the generated table: `POST /path key` or `GET /path text`. */
export function routeFrom(line: string): Route {
  const [method = '', path = '', ...marks] = line.split(' ');
  return { method, path, takesKey: marks.includes('key'), isText: marks.includes('text') };
}

/**
 * Fills the placeholders of a path in their order and appends the query. Values that are undefined or null are omitted.
 * @throws TypeError for a path parameter that no client can send
 */
export function urlOf(
  baseUrl: string,
  path: string,
  parameters: readonly (string | number)[],
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  let next = 0;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => segment(name, parameters[next++]));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) search.append(name, String(value));
  const text = search.toString();
  return `${baseUrl}${filled}${text === '' ? '' : `?${text}`}`;
}

/** URL parsers remove the segments `.` and `..`: the request would reach another resource. */
function segment(name: string, value: string | number | undefined): string {
  const text = String(value ?? '');
  if (text === '' || text === '.' || text === '..')
    throw new TypeError(`"${text}" cannot be sent as the path parameter ${name}.`);
  if (!text.isWellFormed()) throw new TypeError(`The path parameter ${name} is not well-formed Unicode.`);
  return encodeURIComponent(text);
}
