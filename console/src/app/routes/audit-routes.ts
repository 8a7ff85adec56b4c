import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { countIn, dayIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { rootRoute } from './root-route.ts';

const auditRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/audit',
  validateSearch: searchOf((search) => ({
    actor: textIn(search, 'actor'),
    action: textIn(search, 'action'),
    resource: textIn(search, 'resource'),
    brand: countIn(search, 'brand'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/audit/audit-page.tsx'), 'AuditPage'),
});

/** The audit. */
export const auditRoutes = [auditRoute] as const;
