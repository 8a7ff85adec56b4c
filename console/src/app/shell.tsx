import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../api/session.ts';
import { Toasts } from '../parts/toasts.tsx';
import { ExpiredDialog } from './expired-dialog.tsx';
import { messages } from './messages.ts';
import { usePlatformItems } from './navigation.ts';
import { Palette } from './palette.tsx';
import { ShellFooter } from './shell-footer.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { useCurrentInView } from './use-current-in-view.ts';
import { useShortcuts } from './use-shortcuts.ts';

/** The frame of every page: navigation, search, and what belongs to the session. */
export function Shell() {
  const session = useSession();
  const items = usePlatformItems();
  const pages = useCurrentInView<HTMLElement>();
  const [overlay, setOverlay] = useState<'palette' | 'shortcuts' | null>(null);
  useShortcuts({ onPalette: () => setOverlay('palette'), onShortcuts: () => setOverlay('shortcuts') });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {messages.skip}
      </a>
      <header className="rail">
        <p className="wordmark">
          {messages.product}{' '}
          <span className="soft">{session.isSandbox ? messages.sandbox : messages.console}</span>
        </p>
        <button className="search-button" type="button" onClick={() => setOverlay('palette')}>
          {messages.search} <kbd>⌘K</kbd>
        </button>
        <nav ref={pages} aria-label={messages.navigation}>
          <ul>
            {items.map(({ to, label, letter }) => (
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
              <a href="/internal/docs/">{messages.reference}</a>
            </li>
          </ul>
        </nav>
        <ShellFooter session={session} onShortcuts={() => setOverlay('shortcuts')} />
      </header>
      <main id="content" tabIndex={-1}>
        <Outlet />
      </main>
      <Palette isOpen={overlay === 'palette'} onClose={() => setOverlay(null)} />
      <ShortcutsDialog isOpen={overlay === 'shortcuts'} onClose={() => setOverlay(null)} />
      <ExpiredDialog />
      <Toasts />
    </div>
  );
}
