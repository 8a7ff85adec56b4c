/** The words that several pages share. */
export const messages = {
  loading: 'Loading…',
  retry: 'Try again',
  requestId: 'Request id',
  copy: 'Copy',
  copied: 'Copied',
  leaveTitle: 'Leave this page?',
  leave: 'Leave',
  notSaved: 'Not saved yet',
  unsaved: 'What you have typed is not saved.',
  unstored: 'The secret is shown only here. Nobody can show it again.',
  lostSecret: 'The secret was shown to nobody',
  conflict: {
    title: 'Somebody else has saved meanwhile. Choose, then save.',
    saved: (label: string, value: string) => `${label} is now ${shownValue(value)}.`,
    take: (value: string) => `Take ${shownValue(value)}`,
    keep: (value: string) => `Keep ${shownValue(value)}`,
    adopted: (labels: string) =>
      `Somebody else has saved meanwhile: ${labels}. Your own changes are not saved yet.`,
  },
  facts: 'Facts',
  figures: 'Figures',
  change: (change: string) => `${change} against the day before`,
  noneBefore: 'none the day before',
  close: 'Close',
  cancel: 'Cancel',
  never: 'never',
  none: 'none',
  previous: 'Previous',
  next: 'Next',
  csv: 'CSV',
  csvTitle: 'Save these rows as CSV',
  columns: 'Columns',
  select: 'Select',
  selectAll: 'Select all rows of this page',
  filter: {
    clear: 'Clear the filters',
    any: 'any',
    find: 'Type to find',
    nothing: 'Nothing found',
    remove: (label: string) => `Remove the filter ${label}`,
    asTyped: (text: string) => `“${text}”`,
    from: 'From',
    to: 'Until',
    brand: 'Brand',
    key: 'Key',
  },
  pageOf: (page: number, last: number) => `Page ${page} of ${last}`,
  rows: (first: number, last: number, total: number) =>
    `${figure(first)} to ${figure(last)} of ${figure(total)}`,
  total: (total: number) => counted(total, 'row', 'rows'),
  typeToConfirm: (word: string) => `Type “${word}” to confirm`,
} as const;

function shownValue(value: string): string {
  return value === '' ? 'nothing' : value;
}

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
