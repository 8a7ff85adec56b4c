/** The longest wait for a list to appear. */
const patienceMs = 5000;

/** The address of the row that was opened last, by the address of its list. */
const openedRows = new Map<string, string>();

/** Gives the focus back to the row that was opened, when the user returns to its list. */
export function rememberRows(): void {
  addEventListener('click', ({ target }) => rememberRow(target), { capture: true });
  addEventListener('popstate', () => {
    const row = openedRows.get(location.href);
    if (row !== undefined) focusRow(row, performance.now() + patienceMs);
  });
}

function rememberRow(target: EventTarget | null): void {
  if (!(target instanceof Element)) return;
  const link = target.closest<HTMLAnchorElement>('main [data-row] a');
  if (link !== null) openedRows.set(location.href, link.href);
}

/** Waits for the row. What the user focuses meanwhile keeps the focus. */
function focusRow(href: string, until: number): void {
  const active = document.activeElement;
  if (active?.isConnected === true && active !== document.body && active.id !== 'content') return;
  const links = document.querySelectorAll<HTMLAnchorElement>('main [data-row] a');
  const link = [...links].find((one) => one.href === href);
  // The place of the window is restored already.
  if (link !== undefined) link.focus({ preventScroll: true });
  else if (performance.now() < until) requestAnimationFrame(() => focusRow(href, until));
}
