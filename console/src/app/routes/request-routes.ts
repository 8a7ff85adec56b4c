import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from './root-route.ts';

const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/requests/$requestId',
  component: lazyRouteComponent(() => import('../../pages/requests/request-page.tsx'), 'RequestPage'),
});

/** The look-up of a request. */
export const requestRoutes = [requestRoute] as const;
