import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { dayIn, oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const productsRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/products',
  validateSearch: searchOf((search) => ({
    sku: textIn(search, 'sku')?.slice(0, 191),
    active: oneOfIn(search, 'active', ['true', 'false']),
    variants: oneOfIn(search, 'variants', ['true', 'false']),
    since: dayIn(search, 'since'),
    sort: oneOfIn(search, 'sort', ['updated_at', 'sku', '-sku', '-created_at', 'created_at']),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/products/products-page.tsx'), 'ProductsPage'),
});

const productRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/products/$productId',
  validateSearch: searchOf((search) => ({
    variant: textIn(search, 'variant'),
    location: textIn(search, 'location'),
  })),
  component: lazyRouteComponent(() => import('../../pages/products/product-page.tsx'), 'ProductPage'),
});

/** The pages about products. */
export const productRoutes = [productsRoute, productRoute] as const;
