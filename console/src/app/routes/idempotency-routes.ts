import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const idempotencyRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/idempotency',
  validateSearch: searchOf((search) => ({ key: textIn(search, 'key') })),
  component: lazyRouteComponent(
    () => import('../../pages/idempotency/idempotency-page.tsx'),
    'IdempotencyPage',
  ),
});

/** The look-up of an Idempotency-Key. */
export const idempotencyRoutes = [idempotencyRoute] as const;
