import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { brandItems, usePlatformItems } from './navigation.ts';

interface Options {
  readonly onPalette: () => void;
  readonly onShortcuts: () => void;
}

/** A letter counts as the second half of `g` and a letter for this long. */
const chordMs = 1500;

/** Listens to the keys of the console. Keys typed into fields and dialogs are left alone. */
export function useShortcuts(options: Options): void {
  const navigate = useNavigate();
  const { brandId } = useParams({ strict: false });
  const platformItems = usePlatformItems();
  const latest = useRef({ ...options, brandId, platformItems });
  latest.current = { ...options, brandId, platformItems };

  useEffect(() => {
    let chordUntil = 0;
    function goTo(letter: string): boolean {
      const brand = latest.current.brandId;
      const ofBrand = brandItems.find((item) => item.letter === letter);
      const ofPlatform = latest.current.platformItems.find((item) => item.letter === letter);
      if (ofPlatform !== undefined) void navigate({ to: ofPlatform.to });
      else if (ofBrand !== undefined && brand !== undefined)
        void navigate({ to: `/brands/${brand}${ofBrand.to}` as '/' });
      else return false;
      return true;
    }

    function onKey(event: KeyboardEvent): void {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        latest.current.onPalette();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isBusy(event.target)) return;
      const isChord = event.timeStamp < chordUntil;
      chordUntil = event.key === 'g' && !isChord ? event.timeStamp + chordMs : 0;
      const isHandled = isChord ? goTo(event.key) : single(event.key, latest.current);
      if (isHandled) event.preventDefault();
    }

    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [navigate]);
}

function single(key: string, { onPalette, onShortcuts }: Options): boolean {
  if (key === 'j') return moveRow(1);
  if (key === 'k') return moveRow(-1);
  if (key === 'x') return toggleRow();
  if (key === '[' || key === ']') return openNeighbourPage(key === '[' ? 'prev' : 'next');
  if (key === '?') onShortcuts();
  else if (key === '/') {
    const field = document.querySelector<HTMLInputElement>('main [data-search]');
    if (field === null) onPalette();
    else field.select();
  } else return false;
  return true;
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"]:not(.toast), [role="alertdialog"]') !== null) return true;
  const isField =
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
  return isField && !target.matches('input[type="checkbox"], input[type="radio"]');
}

/** Moves the focus to the next (1) or previous (-1) row of the page's list. Returns false if the page has none. */
function moveRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step];
  if (next === undefined) return rows.length > 0;
  const target =
    next.querySelector<HTMLElement>('[data-row-link]') ??
    next.querySelector<HTMLElement>('a, button, input') ??
    next;
  if (target === next) next.tabIndex = -1;
  target.focus();
  next.scrollIntoView({ block: 'nearest' });
  return true;
}

/** Selects or deselects the row with the focus. */
function toggleRow(): boolean {
  const row = document.activeElement?.closest<HTMLElement>('[data-row]');
  const box = row?.querySelector<HTMLElement>('[data-row-select]');
  box?.click();
  return box !== undefined && box !== null;
}

/** Opens the neighbouring page of the list. */
function openNeighbourPage(direction: 'prev' | 'next'): boolean {
  const link = document.querySelector<HTMLElement>(`main a[rel="${direction}"]`);
  link?.click();
  return link !== null;
}
