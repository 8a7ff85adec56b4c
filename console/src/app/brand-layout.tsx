import { Link, Outlet, useParams } from '@tanstack/react-router';
import { useApi } from '../api/use-api.ts';
import { ErrorNote } from '../parts/loaded.tsx';
import { BrandName, Page } from '../parts/page.tsx';
import { shownName } from '../parts/shown-name.ts';
import { NotFound } from './fallback-pages.tsx';
import { brandItems } from './navigation.ts';

/** The frame of a brand's pages: its name and its tabs. */
export function BrandLayout() {
  const { brandId } = useParams({ from: '/brands/$brandId' });
  const brand = useApi('getBrand', { path: [brandId] });
  if (brand.isError && brand.data === undefined) {
    if (brand.error.status === 404) return <NotFound what={`There is no brand ${brandId}`} />;
    return (
      <Page title={`Brand ${brandId}`}>
        <ErrorNote problem={brand.error} onRetry={() => void brand.refetch()} />
      </Page>
    );
  }
  return (
    <BrandName value={brand.data?.name}>
      <div className="brand-bar">
        <p className="brand-name">
          <Link to="/brands">Brands</Link>
          <span aria-hidden="true"> / </span>
          <strong>{shownName(brand.data?.name ?? '…')}</strong> <span className="soft mono">{brandId}</span>
        </p>
        <nav aria-label="Pages of the brand">
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
    </BrandName>
  );
}
