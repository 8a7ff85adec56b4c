import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageIn, searchOf } from '../search-params.ts';
import { rootRoute } from './root-route.ts';

const doctorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/doctor',
  validateSearch: searchOf((search) => ({ page: pageIn(search) })),
  component: lazyRouteComponent(() => import('../../pages/doctor/doctor-page.tsx'), 'DoctorPage'),
});

/** The doctor. */
export const doctorRoutes = [doctorRoute] as const;
