import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { countIn, oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { rootRoute } from './root-route.ts';

const datasetLagRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/datasets',
  validateSearch: searchOf((search) => ({ page: pageIn(search) })),
  component: lazyRouteComponent(() => import('../../pages/datasets/lag-page.tsx'), 'LagPage'),
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

/** The pages about background work and datasets of all brands. */
export const workRoutes = [datasetLagRoute, jobsRoute, jobRoute] as const;
