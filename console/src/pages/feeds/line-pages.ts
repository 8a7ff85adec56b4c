/** The lines on a page of a feed. */
export const linesPerPage = 50;

/** Returns the page of all lines of a feed that has the line, counted from 0; the first page is left out of addresses. */
export function pageOfLine(line: number): number | undefined {
  const page = Math.floor(line / linesPerPage) + 1;
  return page === 1 ? undefined : page;
}
