/** The words that several pages share. */
export const messages = {
  copy: 'Copy',
  copied: 'Copied',
  notSaved: 'Not saved yet',
  unsaved: 'What you have typed is not saved.',
  close: 'Close',
  none: 'none',
} as const;

const figures = new Intl.NumberFormat('en');
const shortFigures = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 2 });

/** Writes a number with separators. */
export function figure(value: number): string {
  return figures.format(value);
}

/** Writes a number with its noun. */
export function counted(count: number, one: string, many: string): string {
  return `${figure(count)} ${count === 1 ? one : many}`;
}

/** Writes a number in at most seven characters, such as 12.5K. */
export function shortFigure(value: number): string {
  return shortFigures.format(value);
}
