/** Saves the pieces of a text as a file of the user. */
export function saveFile(
  pieces: readonly (string | Blob)[],
  name: string,
  type: 'text/csv' | 'application/json',
): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([...pieces], { type }));
  link.download = name;
  link.click();
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Writes a row of CSV. A string that a spreadsheet would compute begins with an apostrophe. */
export function csvRow(cells: readonly (string | number | boolean | null | undefined)[]): string {
  const quoted = cells.map((cell) => {
    const text = String(cell ?? '');
    const safe = /^[=+@\t\r\n-]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return `"${safe.replaceAll('"', '""')}"`;
  });
  return `${quoted.join(',')}\r\n`;
}
