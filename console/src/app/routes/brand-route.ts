import { createRoute } from '@tanstack/react-router';
import { BrandLayout } from '../brand-layout.tsx';
import { rootRoute } from './root-route.ts';

/** The frame of a brand's pages: its name and its tabs. */
export const brandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/brands/$brandId',
  component: BrandLayout,
});
