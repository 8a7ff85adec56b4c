import { styleText } from 'node:util';
import stringWidth from 'string-width';

/**
 * Formats columns without borders; a cell may have several lines. Widths count what a terminal shows, so that wide characters
 * line up.
 */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { isBold }: { readonly isBold: boolean },
): string {
  const lines = [head, ...rows].flatMap((row) => {
    const cells = row.map((cell) => cell.split('\n'));
    const height = Math.max(...cells.map(({ length }) => length));
    return Array.from({ length: height }, (_, n) => cells.map((cell) => cell[n] ?? ''));
  });
  const widths = head.map((_, column) =>
    lines.reduce((most, line) => Math.max(most, stringWidth(line[column] ?? '')), 0),
  );
  const padded = (cell: string, column: number) =>
    cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
  const texts = lines.map((line) => line.map(padded).join('  ').trimEnd());
  if (isBold) texts[0] = styleText('bold', texts[0] ?? '', { validateStream: false });
  return `${texts.join('\n')}\n`;
}
