import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { lineResults } from '../../pages/feeds/line-results.ts';
import { oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const feedsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/feeds',
  validateSearch: searchOf((search) => ({
    status: oneOfIn(search, 'status', ['queued', 'processing', 'completed', 'failed']),
    source: textIn(search, 'source'),
    page: pageIn(search),
  })),
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

/** The pages about stock feeds. */
export const feedRoutes = [feedsRoute, feedRoute] as const;
