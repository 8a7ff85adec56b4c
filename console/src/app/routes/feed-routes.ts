import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { lineResults } from '../../pages/feeds/line-results.ts';
import { dayIn, oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';
import { rootRoute } from './root-route.ts';

const readFilters = searchOf((search) => ({
  status: oneOfIn(search, 'status', ['queued', 'processing', 'completed', 'failed']),
  source: textIn(search, 'source'),
  from: dayIn(search, 'from'),
  to: dayIn(search, 'to'),
  page: pageIn(search),
}));

const allFeedsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/feeds',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('../../pages/feeds/all-feeds-page.tsx'), 'AllFeedsPage'),
});

const feedsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/feeds',
  validateSearch: readFilters,
  component: lazyRouteComponent(() => import('../../pages/feeds/feeds-page.tsx'), 'FeedsPage'),
});

const feedRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/feeds/$feedId',
  validateSearch: searchOf((search) => ({
    result: oneOfIn(search, 'result', [...lineResults, 'failed']),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/feeds/feed-page.tsx'), 'FeedPage'),
});

/** The list of the feeds of all brands. */
export const allFeedRoutes = [allFeedsRoute] as const;

/** The pages about the stock feeds of a brand. */
export const feedRoutes = [feedsRoute, feedRoute] as const;
