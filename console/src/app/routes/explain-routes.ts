import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { countIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const explainRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/explain',
  validateSearch: searchOf((search) => ({
    sku: textIn(search, 'sku'),
    location: textIn(search, 'location'),
    from: textIn(search, 'from'),
    at: textIn(search, 'at'),
    before: countIn(search, 'before'),
    refused_before: textIn(search, 'refused_before'),
  })),
  component: lazyRouteComponent(() => import('../../pages/explain/explain-page.tsx'), 'ExplainPage'),
});

/** The page that explains a quantity. */
export const explainRoutes = [explainRoute] as const;
