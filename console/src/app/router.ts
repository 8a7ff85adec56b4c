import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { lineResults } from '../pages/feeds/line-results.ts';
import { BrandLayout } from './brand-layout.tsx';
import { NotFound, PageFault, PendingPage } from './fallback-pages.tsx';
import { lazyPage } from './lazy-page.ts';
import { Root } from './root.tsx';
import {
  countIn,
  dayIn,
  oneOfIn,
  pageIn,
  readFeedFilters,
  readKeyFilters,
  readRefusalFilters,
  searchOf,
  textIn,
  timeIn,
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

const ofRoot = { getParentRoute: () => rootRoute } as const;

/** The pages that belong to no brand. */
const platformRoutes = [
  createRoute({
    ...ofRoot,
    path: '/',
    validateSearch: searchOf((search) => ({ hours: oneOfIn(search, 'hours', ['24', '72']) })),
    component: lazyPage(() => import('../pages/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/brands',
    validateSearch: searchOf((search) => ({
      search: textIn(search, 'search'),
      sort: oneOfIn(
        search,
        'sort',
        (['name', 'requests_24h', 'refused_24h', 'failed_lines_24h'] as const).flatMap(
          (field) => [field, `-${field}`] as const,
        ),
      ),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/brands/brands-page.tsx'), 'BrandsPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/brands/new',
    component: lazyPage(() => import('../pages/brands/new-brand-page.tsx'), 'NewBrandPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/feeds',
    validateSearch: readFeedFilters,
    component: lazyPage(() => import('../pages/feeds/feeds-page.tsx'), 'AllFeedsPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/datasets',
    component: lazyPage(() => import('../pages/datasets/lag-page.tsx'), 'LagPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/jobs',
    validateSearch: searchOf((search) => ({
      state: oneOfIn(search, 'state', ['queued', 'running', 'failed']),
      queue: textIn(search, 'queue'),
      brand: countIn(search, 'brand'),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/jobs/jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/jobs/$jobId',
    component: lazyPage(() => import('../pages/jobs/job-page.tsx'), 'JobPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/audit',
    validateSearch: searchOf((search) => ({
      actor: textIn(search, 'actor'),
      action: textIn(search, 'action'),
      resource_type: textIn(search, 'resource_type'),
      resource_id: textIn(search, 'resource_id') ?? textIn(search, 'resource'),
      brand: countIn(search, 'brand'),
      exclude: oneOfIn(search, 'exclude', ['session']),
      from: timeIn(search, 'from'),
      to: timeIn(search, 'to'),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/keys',
    validateSearch: searchOf((search) => ({ ...readKeyFilters(search), brand: countIn(search, 'brand') })),
    component: lazyPage(() => import('../pages/keys/keys-page.tsx'), 'AllKeysPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/requests',
    validateSearch: searchOf((search) => ({
      ...readRefusalFilters(search),
      brand: countIn(search, 'brand'),
    })),
    component: lazyPage(() => import('../pages/refusals/refusals-page.tsx'), 'RequestsPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/requests/$requestId',
    component: lazyPage(() => import('../pages/requests/request-page.tsx'), 'RequestPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/administrators',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(
      () => import('../pages/administrators/administrators-page.tsx'),
      'AdministratorsPage',
    ),
  }),
  createRoute({
    ...ofRoot,
    path: '/administrators/new',
    component: lazyPage(
      () => import('../pages/administrators/new-administrator-page.tsx'),
      'NewAdministratorPage',
    ),
  }),
  createRoute({
    ...ofRoot,
    path: '/sessions',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(() => import('../pages/administrators/sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    ...ofRoot,
    path: '/doctor',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(() => import('../pages/doctor/doctor-page.tsx'), 'DoctorPage'),
  }),
] as const;

const ofBrand = { getParentRoute: () => brandRoute } as const;

/** The pages of one brand, below `/brands/{id}`. */
const brandRoutes = [
  createRoute({
    ...ofBrand,
    path: '/',
    validateSearch: searchOf((search) => ({ hours: oneOfIn(search, 'hours', ['24', '72']) })),
    component: lazyPage(() => import('../pages/brands/brand-page.tsx'), 'BrandPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/keys',
    validateSearch: readKeyFilters,
    component: lazyPage(() => import('../pages/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/keys/new',
    validateSearch: searchOf((search) => ({
      replaces: textIn(search, 'replaces'),
      scopes: textIn(search, 'scopes'),
    })),
    component: lazyPage(() => import('../pages/keys/new-key-page.tsx'), 'NewKeyPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/keys/$keyId',
    validateSearch: searchOf((search) => ({ days: oneOfIn(search, 'days', ['1', '7', '90']) })),
    component: lazyPage(() => import('../pages/keys/key-page.tsx'), 'KeyPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/keys/$keyId/hand-over',
    component: lazyPage(() => import('../pages/keys/hand-over-page.tsx'), 'HandOverPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/products',
    validateSearch: searchOf((search) => ({
      sku: textIn(search, 'sku')?.slice(0, 191),
      active: oneOfIn(search, 'active', ['true', 'false']),
      variants: oneOfIn(search, 'variants', ['true', 'false']),
      since: timeIn(search, 'since'),
      sort: oneOfIn(search, 'sort', ['updated_at', 'sku', '-sku', '-created_at', 'created_at']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/products/products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/products/$productId',
    validateSearch: searchOf((search) => ({
      variant: textIn(search, 'variant'),
      location: textIn(search, 'location'),
    })),
    component: lazyPage(() => import('../pages/products/product-page.tsx'), 'ProductPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/feeds',
    validateSearch: readFeedFilters,
    component: lazyPage(() => import('../pages/feeds/feeds-page.tsx'), 'FeedsPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/feeds/$feedId',
    validateSearch: searchOf((search) => ({
      result: oneOfIn(search, 'result', [...lineResults, 'failed']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/feeds/feed-page.tsx'), 'FeedPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/explain',
    validateSearch: searchOf((search) => ({
      sku: textIn(search, 'sku'),
      location: textIn(search, 'location'),
      from: textIn(search, 'from'),
      at: textIn(search, 'at'),
      before: countIn(search, 'before'),
      refused_before: textIn(search, 'refused_before'),
    })),
    component: lazyPage(() => import('../pages/explain/explain-page.tsx'), 'ExplainPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/datasets',
    validateSearch: searchOf((search) => ({
      until: dayIn(search, 'until'),
      from: dayIn(search, 'from'),
      to: dayIn(search, 'to'),
    })),
    component: lazyPage(() => import('../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/learners',
    validateSearch: searchOf((search) => ({
      learner: textIn(search, 'learner'),
      market: textIn(search, 'market'),
      out: oneOfIn(search, 'out', ['true', 'false']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../pages/learners/learners-page.tsx'), 'LearnersPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/learners/opt-out',
    component: lazyPage(() => import('../pages/learners/opt-out-page.tsx'), 'OptOutPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/learners/$tuId',
    component: lazyPage(() => import('../pages/learners/learner-page.tsx'), 'LearnerPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/refusals',
    validateSearch: readRefusalFilters,
    component: lazyPage(() => import('../pages/refusals/refusals-page.tsx'), 'RefusalsPage'),
  }),
  createRoute({
    ...ofBrand,
    path: '/limits',
    validateSearch: searchOf((search) => ({ key: textIn(search, 'key'), page: pageIn(search) })),
    component: lazyPage(() => import('../pages/limits/limits-page.tsx'), 'LimitsPage'),
  }),
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
