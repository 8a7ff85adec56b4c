/** Returns the address of a page of the console, for links of which a page has thousands. Empty parameters are left out. */
export function addressOfPage(path: string, search: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value) parameters.set(name, value);
  return `/console${path}${parameters.size === 0 ? '' : `?${parameters}`}`;
}
