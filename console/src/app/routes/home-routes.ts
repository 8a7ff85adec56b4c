import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { pageIn, searchOf, textIn } from '../search-params.ts';
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

/** The home page and the list of brands. */
export const homeRoutes = [homeRoute, brandsRoute, newBrandRoute] as const;
