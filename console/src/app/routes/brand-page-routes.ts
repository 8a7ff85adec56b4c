import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { brandRoute } from './brand-route.ts';

const overviewRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../../pages/brands/brand-page.tsx'), 'BrandPage'),
});

/** The overview of a brand. */
export const brandPageRoutes = [overviewRoute] as const;
