import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageIn, searchOf } from '../search-params.ts';
import { rootRoute } from './root-route.ts';

const administratorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administrators',
  validateSearch: searchOf((search) => ({ page: pageIn(search) })),
  component: lazyRouteComponent(
    () => import('../../pages/administrators/administrators-page.tsx'),
    'AdministratorsPage',
  ),
});

const newAdministratorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/administrators/new',
  component: lazyRouteComponent(
    () => import('../../pages/administrators/new-administrator-page.tsx'),
    'NewAdministratorPage',
  ),
});

const sessionsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sessions',
  validateSearch: searchOf((search) => ({ page: pageIn(search) })),
  component: lazyRouteComponent(() => import('../../pages/administrators/sessions-page.tsx'), 'SessionsPage'),
});

/** The people who may sign in, and their browsers. */
export const peopleRoutes = [administratorsRoute, newAdministratorRoute, sessionsRoute] as const;
