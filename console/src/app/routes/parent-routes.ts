import { createRootRoute, createRoute } from '@tanstack/react-router';
import { BrandLayout } from '../brand-layout.tsx';
import { NotFound, PageFault } from '../fallback-pages.tsx';
import { Root } from '../root.tsx';

export const rootRoute = createRootRoute({
  component: Root,
  notFoundComponent: () => NotFound({}),
  errorComponent: PageFault,
});

/** The frame of a brand's pages: its name and its tabs. */
export const brandRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/brands/$brandId',
  component: BrandLayout,
});
