import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { dayIn, searchOf } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const datasetsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/datasets',
  validateSearch: searchOf((search) => ({
    until: dayIn(search, 'until'),
    from: dayIn(search, 'from'),
    to: dayIn(search, 'to'),
  })),
  component: lazyRouteComponent(() => import('../../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
});

/** The calendar of a brand's datasets. */
export const datasetRoutes = [datasetsRoute] as const;
