import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type RouteComponent,
} from '@tanstack/react-router';
import { lineResults } from '../pages/feeds/line-results.ts';
import { BrandLayout } from './brand-layout.tsx';
import { NotFound, PageFault, PendingPage } from './fallback-pages.tsx';
import { lazyPage } from './lazy-page.ts';
import { Root } from './root.tsx';
import {
  count,
  day,
  feedFilters,
  keyFilters,
  oneOf,
  page,
  refusalFilters,
  searchOf,
  sortOf,
  text,
  time,
  withoutKeyFilters,
} from './search-params.ts';

const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => NotFound({}),
  errorComponent: PageFault,
});

/** The frame of a brand's pages: its name and its tabs. */
const brandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/brands/$brandId',
  component: BrandLayout,
});

const brandSort = sortOf('name', 'requests_24h', 'refused_24h', 'denied_24h', 'failed_lines_24h');

/** Returns a function that makes the pages below a route. */
const pagesOf =
  <Parent extends AnyRoute>(parent: Parent) =>
  <const Path extends string, Search extends object>(
    path: Path,
    component: RouteComponent,
    validateSearch?: (search: Readonly<Record<string, unknown>>) => Search,
  ) =>
    createRoute({ getParentRoute: () => parent, path, component, validateSearch });

const platformPage = pagesOf(rootRoute);
const brandPage = pagesOf(brandRoute);

const auditSearch = searchOf({
  actor: text,
  action: text,
  resource_type: text,
  resource_id: text,
  brand: count,
  exclude: oneOf('session'),
  sort: sortOf('at'),
  from: time,
  to: time,
  page,
});

/** The pages that belong to no brand. */
const platformRoutes = [
  platformPage(
    '/',
    lazyPage(() => import('../pages/home/home-page.tsx'), 'HomePage'),
    searchOf({ hours: oneOf('24', '72') }),
  ),
  platformPage(
    '/brands',
    lazyPage(() => import('../pages/brands/brands-page.tsx'), 'BrandsPage'),
    searchOf({ search: text, sort: brandSort, page }),
  ),
  platformPage(
    '/brands/new',
    lazyPage(() => import('../pages/brands/new-brand-page.tsx'), 'NewBrandPage'),
  ),
  platformPage(
    '/feeds',
    lazyPage(() => import('../pages/feeds/feeds-page.tsx'), 'AllFeedsPage'),
    searchOf(feedFilters),
  ),
  platformPage(
    '/datasets',
    lazyPage(() => import('../pages/datasets/lag-page.tsx'), 'LagPage'),
    searchOf({ sort: sortOf('name', 'days_behind', 'dirty_days') }),
  ),
  platformPage(
    '/jobs',
    lazyPage(() => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
    searchOf({
      state: oneOf('queued', 'running', 'failed'),
      queue: text,
      brand: count,
      sort: sortOf('last_at', 'count', 'retries', 'next_run_at'),
      page,
    }),
  ),
  platformPage(
    '/jobs/$jobId',
    lazyPage(() => import('../pages/jobs/job-page.tsx'), 'JobPage'),
  ),
  platformPage(
    '/audit',
    lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
    // `resource` is the older name.
    (search) => auditSearch({ resource_id: search['resource'], ...search }),
  ),
  platformPage(
    '/keys',
    lazyPage(() => import('../pages/keys/keys-page.tsx'), 'AllKeysPage'),
    searchOf({ ...keyFilters, brand: count }),
  ),
  platformPage(
    '/requests',
    lazyPage(() => import('../pages/refusals/refusals-page.tsx'), 'RequestsPage'),
    searchOf({ ...refusalFilters, brand: count }),
  ),
  platformPage(
    '/requests/$requestId',
    lazyPage(() => import('../pages/requests/request-page.tsx'), 'RequestPage'),
  ),
  platformPage(
    '/without-key',
    lazyPage(() => import('../pages/refusals/without-key-page.tsx'), 'WithoutKeyPage'),
    searchOf(withoutKeyFilters),
  ),
  platformPage(
    '/administrators',
    lazyPage(() => import('../pages/administrators/administrators-page.tsx'), 'AdministratorsPage'),
    searchOf({ page }),
  ),
  platformPage(
    '/administrators/new',
    lazyPage(() => import('../pages/administrators/new-administrator-page.tsx'), 'NewAdministratorPage'),
  ),
  platformPage(
    '/sessions',
    lazyPage(() => import('../pages/administrators/sessions-page.tsx'), 'SessionsPage'),
    searchOf({ page }),
  ),
  platformPage(
    '/doctor',
    lazyPage(() => import('../pages/doctor/doctor-page.tsx'), 'DoctorPage'),
    searchOf({ page }),
  ),
] as const;

/** The pages of one brand, below `/brands/{id}`. */
const brandRoutes = [
  brandPage(
    '/',
    lazyPage(() => import('../pages/brands/brand-page.tsx'), 'BrandPage'),
    searchOf({ hours: oneOf('24', '72') }),
  ),
  brandPage(
    '/keys',
    lazyPage(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
    searchOf(keyFilters),
  ),
  brandPage(
    '/keys/new',
    lazyPage(() => import('../pages/keys/new-key-page.tsx'), 'NewKeyPage'),
    searchOf({ replaces: text, scopes: text }),
  ),
  brandPage(
    '/keys/$keyId',
    lazyPage(() => import('../pages/keys/key-page.tsx'), 'KeyPage'),
    searchOf({ days: oneOf('1', '7', '90') }),
  ),
  brandPage(
    '/keys/$keyId/hand-over',
    lazyPage(() => import('../pages/keys/hand-over-page.tsx'), 'HandOverPage'),
  ),
  brandPage(
    '/products',
    lazyPage(() => import('../pages/products/products-page.tsx'), 'ProductsPage'),
    searchOf({
      sku: (value) => text(value)?.slice(0, 191),
      title: (value) => text(value)?.slice(0, 255),
      active: oneOf('true', 'false'),
      variants: oneOf('true', 'false'),
      since: time,
      sort: oneOf('updated_at', 'sku', '-sku', '-created_at', 'created_at'),
      page,
    }),
  ),
  brandPage(
    '/products/$productId',
    lazyPage(() => import('../pages/products/product-page.tsx'), 'ProductPage'),
    searchOf({ variant: text, location: text }),
  ),
  brandPage(
    '/feeds',
    lazyPage(() => import('../pages/feeds/feeds-page.tsx'), 'FeedsPage'),
    searchOf(feedFilters),
  ),
  brandPage(
    '/feeds/$feedId',
    lazyPage(() => import('../pages/feeds/feed-page.tsx'), 'FeedPage'),
    searchOf({ result: oneOf(...lineResults, 'failed', 'left'), page }),
  ),
  brandPage(
    '/explain',
    lazyPage(() => import('../pages/explain/explain-page.tsx'), 'ExplainPage'),
    searchOf({
      sku: text,
      location: text,
      from: text,
      at: text,
      before: count,
      refused_before: text,
    }),
  ),
  brandPage(
    '/datasets',
    lazyPage(() => import('../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
    searchOf({ until: day, from: day, to: day }),
  ),
  brandPage(
    '/learners',
    lazyPage(() => import('../pages/learners/learners-page.tsx'), 'LearnersPage'),
    searchOf({ learner: text, market: text, out: oneOf('true', 'false'), sort: sortOf('tu_id'), page }),
  ),
  brandPage(
    '/learners/opt-out',
    lazyPage(() => import('../pages/learners/opt-out-page.tsx'), 'OptOutPage'),
  ),
  brandPage(
    '/learners/$tuId',
    lazyPage(() => import('../pages/learners/learner-page.tsx'), 'LearnerPage'),
  ),
  brandPage(
    '/refusals',
    lazyPage(() => import('../pages/refusals/refusals-page.tsx'), 'RefusalsPage'),
    searchOf(refusalFilters),
  ),
  brandPage(
    '/limits',
    lazyPage(() => import('../pages/limits/limits-page.tsx'), 'LimitsPage'),
    searchOf({ key: text, page }),
  ),
  brandPage(
    '/settings',
    lazyPage(() => import('../pages/brands/settings-page.tsx'), 'SettingsPage'),
  ),
] as const;

const routeTree = rootRoute.addChildren([...platformRoutes, brandRoute.addChildren(brandRoutes)]);

/**
 * The router. Search parameters are plain text in the address, so that an address can be read and typed; the routes convert
 * them.
 */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  trailingSlash: 'never',
  defaultPreload: 'intent',
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 80,
  defaultPendingMinMs: 150,
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(search))
      if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
    return parameters.size === 0 ? '' : `?${parameters}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

const delayMs = 5000;

/** Loads the scripts of all pages when the browser has nothing else to do, so that they open also while the server restarts. */
export function preloadPages(): void {
  const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 0));
  setTimeout(() => {
    const routes = Object.values(router.routesById);
    const next = () => {
      const route = routes.pop();
      if (route !== undefined) void Promise.resolve(router.loadRouteChunk(route)).then(() => whenIdle(next));
    };
    whenIdle(next);
  }, delayMs);
}
