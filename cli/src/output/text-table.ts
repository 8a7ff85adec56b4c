import Table from 'cli-table3';

const noBorders = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/** Formats columns without borders. Widths count what a terminal shows, so that wide characters line up. */
export function textTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { isBold }: { readonly isBold: boolean },
): string {
  const style = { head: isBold ? ['bold'] : [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ head: [...head], chars: noBorders, style });
  table.push(...rows.map((row) => [...row]));
  return `${table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')}\n`;
}
