import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { countIn, oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { rootRoute } from './root-route.ts';

const homeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../../pages/home/home-page.tsx'), 'HomePage'),
});

const brandsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/brands',
  validateSearch: searchOf((search) => ({ search: textIn(search, 'search'), page: pageIn(search) })),
  component: lazyRouteComponent(() => import('../../pages/brands/brands-page.tsx'), 'BrandsPage'),
});

const newBrandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/brands/new',
  component: lazyRouteComponent(() => import('../../pages/brands/new-brand-page.tsx'), 'NewBrandPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs',
  validateSearch: searchOf((search) => ({
    state: oneOfIn(search, 'state', ['queued', 'running', 'failed']),
    queue: textIn(search, 'queue'),
    brand: countIn(search, 'brand'),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/jobs/jobs-page.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('../../pages/jobs/job-page.tsx'), 'JobPage'),
});

/** The pages that belong to no brand. */
export const platformRoutes = [homeRoute, brandsRoute, newBrandRoute, jobsRoute, jobRoute] as const;
