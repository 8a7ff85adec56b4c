import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useUnreachedSince } from '../api/reach.ts';
import { type Session, useSession, useSignOut } from '../api/session.ts';
import { useIsWaitingForSignIn } from '../api/session-gate.ts';
import mark from '../look/mark.svg';
import { Button } from '../parts/button.tsx';
import { useZone } from '../parts/zone.ts';
import { lazyPage } from './lazy-page.ts';
import { usePlatformItems } from './navigation.ts';
import { setPreferences, usePreferences } from './preferences.ts';
import { useShortcuts } from './use-shortcuts.ts';

const times = { ago: 'Ago', utc: 'UTC', local: 'Local' } as const;
const schemes = { system: 'Auto', light: 'Day', dark: 'Night' } as const;

const Palette = lazyPage(() => import('./palette.tsx'), 'Palette');
const ShortcutsDialog = lazyPage(() => import('./shortcuts-dialog.tsx'), 'ShortcutsDialog');
const Toasts = lazyPage(() => import('../parts/toasts.tsx'), 'Toasts');
const ExpiredDialog = lazyPage(() => import('./expired-dialog.tsx'), 'ExpiredDialog');

interface ShellProps {
  /** true: it replaces the sign-in, which had the focus. */
  readonly isSignedInHere: boolean;
}

/** The frame of every page: navigation, search, and what belongs to the session. */
export function Shell({ isSignedInHere }: ShellProps) {
  const session = useSession();
  const [isMenuOpen, setMenuOpen] = useMenu();
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null);
  const [typed, setTyped] = useState('');
  const [seen] = useState(() => new Set<string>());
  const isExpired = useIsWaitingForSignIn();
  const arrival = useArrival();
  useKeptFocus();
  useEffect(() => {
    if (isSignedInHere) document.getElementById('content')?.focus();
  }, [isSignedInHere]);
  if (overlay !== null) seen.add(overlay);
  if (isExpired) seen.add('expired');
  const opener = useRef<HTMLElement | null>(null);
  function openPalette(): void {
    const { activeElement: active } = document;
    if (overlay !== 'palette')
      opener.current = active instanceof HTMLElement && active !== document.body ? active : null;
    setOverlay('palette');
  }
  useShortcuts({ onPalette: openPalette, onShortcuts: () => setOverlay('shortcuts') });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="rail">
        <p className="wordmark">
          <img src={mark} alt="" /> Brandport{' '}
          <span className="soft">{session.isSandbox ? 'sandbox' : 'console'}</span>
        </p>
        <button className="search-button" type="button" onClick={openPalette}>
          Search <kbd>{/Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
        <button
          className="button menu-button"
          type="button"
          aria-expanded={isMenuOpen}
          aria-controls="pages"
          onClick={() => setMenuOpen(!isMenuOpen)}
        >
          Menu
        </button>
        <Pages isOpen={isMenuOpen} />
        <ShellFooter session={session} onShortcuts={() => setOverlay('shortcuts')} />
      </header>
      <main id="content" tabIndex={-1}>
        <Unreached />
        <Outlet />
      </main>
      <output className="visually-hidden">{arrival}</output>
      {seen.has('palette') && (
        <Suspense fallback={<PendingPalette onText={setTyped} />}>
          <Palette
            typed={typed}
            opener={opener}
            isOpen={overlay === 'palette'}
            onClose={() => setOverlay(null)}
          />
        </Suspense>
      )}
      {/* Dialogs are loaded when they are opened first, and stay, so that they can close. */}
      <Suspense>
        {seen.has('shortcuts') && (
          <ShortcutsDialog isOpen={overlay === 'shortcuts'} onClose={() => setOverlay(null)} />
        )}
        {(isExpired || seen.has('expired')) && <ExpiredDialog />}
      </Suspense>
      <Suspense>
        <Toasts />
      </Suspense>
    </div>
  );
}

/** Links to the pages that belong to no brand, and to the documentation. On a phone they show while the menu is open. */
function Pages({ isOpen }: { readonly isOpen: boolean }) {
  return (
    <nav id="pages" aria-label="Console" data-open={isOpen}>
      <ul>
        {usePlatformItems().map(({ to, label, letter }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/' }} activeProps={{ 'aria-current': 'page' }}>
              {label}
              <span className="key-hint" aria-hidden="true">
                g {letter}
              </span>
            </Link>
          </li>
        ))}
        <li>
          <a href="/internal/docs/guides/">Guides</a>
        </li>
        <li>
          <a href="/internal/docs/">API reference</a>
        </li>
      </ul>
    </nav>
  );
}

/** Returns whether the pages are listed on a phone, and a function that changes it. Opening one ends it. */
function useMenu() {
  const { pathname } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  return [openAt === pathname, (isOpen: boolean) => setOpenAt(isOpen ? pathname : null)] as const;
}

/** Takes what is typed while the script of the search is loaded. */
function PendingPalette({ onText }: { readonly onText: (text: string) => void }) {
  return (
    <div className="dialog" role="dialog" aria-label="Search">
      <input
        className="input palette-field"
        aria-label="Search"
        ref={(node) => node?.focus()}
        onChange={({ target }) => onText(target.value)}
      />
    </div>
  );
}

/** Says since when the figures on the page are as they are, while the server is not reached. */
function Unreached() {
  const since = useUnreachedSince();
  const zone = useZone();
  return (
    <p className="unreached" role="status">
      {since !== null && `Not reached since ${zone.timeOf(since)}. Trying again.`}
    </p>
  );
}

interface Props {
  readonly session: Session;
  readonly onShortcuts: () => void;
}

/** The name of the user, and the switches of the shell. */
function ShellFooter({ session, onShortcuts }: Props) {
  const signOut = useSignOut();
  const roles: Readonly<Record<string, string>> = {
    administrator: 'administrator',
    operator: 'operator',
    support: 'support, reads only',
  };
  return (
    <div className="rail-foot">
      <Switch label="Times" name="time" words={times} />
      <Switch label="Colours" name="scheme" words={schemes} />
      <p className="who">
        <span className="mono">{session.actor_name ?? session.actor}</span>
        <span className="soft">{roles[session.role] ?? session.role}</span>
      </p>
      <div className="form-row">
        <Button kind="plain" onClick={() => void signOut()}>
          Sign out
        </Button>
        <Button kind="plain" onClick={onShortcuts}>
          Keyboard shortcuts{' '}
          <span className="key-hint" aria-hidden="true">
            ?
          </span>
        </Button>
      </div>
    </div>
  );
}

interface SwitchProps {
  readonly label: string;
  readonly name: 'scheme' | 'time';
  readonly words: Readonly<Record<string, string>>;
}

/** Chooses a preference by its words. */
function Switch({ label, name, words }: SwitchProps) {
  const { [name]: current } = usePreferences();
  return (
    <fieldset className="switch">
      <legend className="visually-hidden">{label}</legend>
      <div className="segments">
        {Object.entries(words).map(([value, word]) => (
          <button
            key={value}
            type="button"
            aria-pressed={value === current}
            onClick={() => setPreferences({ [name]: value })}
          >
            {word}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * Gives the focus to the content when the element that had it is gone: a link of a page that was left, the form of what was
 * created, or the sign-in.
 */
function useKeptFocus(): void {
  useEffect(() => {
    const content = document.getElementById('content');
    if (content === null) return;
    let latest: Element | null = null;
    const keep = () => {
      if (latest?.isConnected !== false || document.activeElement !== document.body) return;
      latest = null;
      content.focus({ preventScroll: true });
    };
    const note = ({ target }: FocusEvent) => {
      latest = target instanceof Element ? target : null;
    };
    const observer = new MutationObserver(keep);
    observer.observe(content, { childList: true, subtree: true });
    content.addEventListener('focusin', note);
    return () => {
      observer.disconnect();
      content.removeEventListener('focusin', note);
    };
  }, []);
}

/** A page has named itself by then. */
const namedMs = 400;

/**
 * After a change of the page, moves the focus from the link that was followed to the content, unless something in it has the
 * focus already. @returns the name of the page, for a screen reader to announce; empty for the first one
 */
function useArrival(): string {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  const [arrival, setArrival] = useState('');
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const content = document.getElementById('content');
    if (content?.contains(document.activeElement) === false) content.focus({ preventScroll: true });
    const timer = setTimeout(() => setArrival(document.title), namedMs);
    return () => clearTimeout(timer);
  }, [pathname]);
  return arrival;
}
