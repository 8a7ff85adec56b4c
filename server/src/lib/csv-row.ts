/** A cell that a spreadsheet would run as a formula: it begins with one of these, or with white space that is trimmed. */
const formula = /^[=+\-@\t\r\n]/;
const quoted = /[",\r\n]/;

/**
 * Returns a line of CSV (RFC 4180, with `\n` at its end); null is an empty cell. Text that a spreadsheet would run as a
 * formula gets a leading apostrophe, which spreadsheets hide: such values come from clients. Numbers are left alone.
 */
export function csvRow(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map(csvCell).join(',')}\n`;
}

function csvCell(cell: string | number | boolean | null): string {
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = formula.test(cell) ? `'${cell}` : cell;
  return quoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
