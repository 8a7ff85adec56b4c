import { createRouter } from '@tanstack/react-router';
import { PendingPage } from './pending-page.tsx';
import { brandRoute } from './routes/brand-route.ts';
import { brandRoutes } from './routes/brand-routes.ts';
import { platformRoutes } from './routes/platform-routes.ts';
import { rootRoute } from './routes/root-route.ts';

const routeTree = rootRoute.addChildren([...platformRoutes, brandRoute.addChildren(brandRoutes)]);

/**
 * The router. Search parameters are plain text in the address, so that an address can be read and typed; the routes convert
 * them.
 */
export const router = createRouter({
  routeTree,
  basepath: '/console',
  trailingSlash: 'never',
  defaultPreload: 'intent',
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 80,
  defaultPendingMinMs: 150,
  scrollRestoration: true,
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(search))
      if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value));
    return parameters.size === 0 ? '' : `?${parameters}`;
  },
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
