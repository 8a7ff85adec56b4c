/** Formats rows as columns for people: numbers with separators and to the right, everything else to the left. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? formatCount(cell) : cell)));
  const isNumber = head.map((_, at) => rows.some((row) => typeof row[at] === 'number'));
  const widths = head.map((name, at) =>
    Math.max(name.length, ...texts.map((row) => (row[at] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) =>
        isNumber[at] ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number),
      )
      .join('  ')
      .trimEnd();
  return [head, ...texts].map((row) => `${line(row)}\n`).join('');
}

const counts = new Intl.NumberFormat('en-US');

function formatCount(count: number): string {
  return counts.format(count);
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

/** Formats a number of bytes for people: `512 bytes`, `4.2 MB`. A unit is 1,000 of the one before it. */
export function dataSize(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}
