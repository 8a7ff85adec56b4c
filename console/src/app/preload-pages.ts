import { router } from './router.ts';

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
