/** The words that several pages share. */
export const messages = {
  loading: 'Loading…',
  retry: 'Try again',
  requestId: 'Request id',
  copy: 'Copy',
  copied: 'Copied',
  leaveTitle: 'Leave this page?',
  leave: 'Leave',
  unsaved: 'What you have typed is not saved.',
  unstored: 'The secret is shown only here. Nobody can show it again.',
  lostSecret: 'The secret was shown to nobody',
  close: 'Close',
  cancel: 'Cancel',
  never: 'never',
  none: 'none',
  previous: 'Previous',
  next: 'Next',
  pageOf: (page: number, last: number) => `Page ${page} of ${last}`,
  rows: (first: number, last: number, total: number) =>
    `${figure(first)} to ${figure(last)} of ${figure(total)}`,
  total: (total: number) => (total === 1 ? '1 row' : `${figure(total)} rows`),
  typeToConfirm: (word: string) => `Type “${word}” to confirm`,
} as const;

const figures = new Intl.NumberFormat('en');

/** Writes a number with separators. */
export function figure(value: number): string {
  return figures.format(value);
}
