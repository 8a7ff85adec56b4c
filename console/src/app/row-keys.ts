/** Moves the focus to the next (1) or previous (-1) row of the page's list. Returns false if the page has none. */
export function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step];
  if (next === undefined) return rows.length > 0;
  const target = next.querySelector<HTMLElement>('[data-row-link], a, button, input') ?? next;
  if (target === next) next.tabIndex = -1;
  target.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Selects or deselects the row with the focus. */
export function toggleRow(): boolean {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  const box = row?.querySelector<HTMLElement>('[data-row-select]');
  box?.click();
  return box !== undefined && box !== null;
}

/** Opens the neighbouring page of the list. */
export function openNeighbourPage(direction: 'prev' | 'next'): boolean {
  const link = document.querySelector<HTMLElement>(`main a[rel="${direction}"]`);
  link?.click();
  return link !== null;
}
