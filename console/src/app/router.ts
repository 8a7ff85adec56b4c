import { createRouter } from '@tanstack/react-router';
import { PendingPage } from './fallback-pages.tsx';
import { brandRoutes } from './routes/brand-routes.ts';
import { brandRoute, rootRoute } from './routes/parent-routes.ts';
import { platformRoutes } from './routes/platform-routes.ts';

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

const delayMs = 5000;

/** Loads the scripts of all pages when the browser has nothing else to do, so that they open also while the server restarts. */
export function preloadPages(): void {
  const whenIdle = window.requestIdleCallback ?? ((task: () => void) => setTimeout(task, 0));
  setTimeout(() => {
    const routes = Object.values(router.routesById);
    const next = () => {
      const route = routes.pop();
      if (route !== undefined) void Promise.resolve(router.loadRouteChunk(route)).then(() => whenIdle(next));
    };
    whenIdle(next);
  }, delayMs);
}
