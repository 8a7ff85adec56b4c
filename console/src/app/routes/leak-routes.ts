import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root-route.ts';

const leaksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/leaks',
  component: lazyRouteComponent(() => import('../../pages/leaks/leaks-page.tsx'), 'LeaksPage'),
});

/** The leak box. */
export const leakRoutes = [leaksRoute] as const;
