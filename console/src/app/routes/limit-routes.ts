import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { brandRoute } from './brand-route.ts';

const limitsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/limits',
  component: lazyRouteComponent(() => import('../../pages/limits/limits-page.tsx'), 'LimitsPage'),
});

/** The rate limits of a brand. */
export const limitRoutes = [limitsRoute] as const;
