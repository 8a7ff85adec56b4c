import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useApi } from '../api/use-api.ts';
import { ErrorNote } from '../parts/error-note.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { messages } from './messages.ts';
import { brandItems } from './navigation.ts';

/** The frame of a brand's pages: its name and its tabs. */
export function BrandLayout() {
  const { brandId } = useParams({ from: '/brands/$brandId' });
  const brand = useApi('getBrand', { path: [brandId] });
  const { pathname } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  // On a phone the bar is wider than the screen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the path
  useEffect(() => {
    tabs.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  if (brand.isError) {
    return (
      <div className="page">
        <PageHead title={`Brand ${brandId}`} />
        <ErrorNote problem={brand.error} onRetry={() => void brand.refetch()} />
      </div>
    );
  }
  return (
    <>
      <div className="brand-bar">
        <p className="brand-name">
          <Link to="/brands">Brands</Link>
          <span aria-hidden="true"> / </span>
          <strong>{brand.data?.name ?? '…'}</strong> <span className="soft mono">{brandId}</span>
        </p>
        <nav ref={tabs} aria-label={messages.brandNavigation}>
          <ul>
            {brandItems.map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={`/brands/${brandId}${to}` as '/'}
                  activeOptions={{ exact: to === '', includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                >
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </div>
      <Outlet />
    </>
  );
}
