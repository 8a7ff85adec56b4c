import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const keysRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/keys',
  validateSearch: searchOf((search) => ({
    state: oneOfIn(search, 'state', ['active', 'expired', 'revoked']),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/keys/keys-page.tsx'), 'KeysPage'),
});

const newKeyRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/keys/new',
  validateSearch: searchOf((search) => ({
    replaces: textIn(search, 'replaces'),
    scopes: textIn(search, 'scopes'),
  })),
  component: lazyRouteComponent(() => import('../../pages/keys/new-key-page.tsx'), 'NewKeyPage'),
});

const keyRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/keys/$keyId',
  validateSearch: searchOf((search) => ({ days: oneOfIn(search, 'days', ['1', '7', '90']) })),
  component: lazyRouteComponent(() => import('../../pages/keys/key-page.tsx'), 'KeyPage'),
});

const handOverRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/keys/$keyId/hand-over',
  component: lazyRouteComponent(() => import('../../pages/keys/hand-over-page.tsx'), 'HandOverPage'),
});

/** The pages about API keys. */
export const keyRoutes = [keysRoute, newKeyRoute, keyRoute, handOverRoute] as const;
