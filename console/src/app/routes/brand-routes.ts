import { createRoute } from '@tanstack/react-router';
import { lineResults } from '../../pages/feeds/line-results.ts';
import { lazyPage } from '../lazy-page.ts';
import {
  countIn,
  dayIn,
  oneOfIn,
  pageIn,
  readFeedFilters,
  readKeyFilters,
  readRefusalFilters,
  searchOf,
  textIn,
} from '../search-params.ts';
import { brandRoute } from './parent-routes.ts';

const getParentRoute = () => brandRoute;

/** The pages of one brand, below `/brands/{id}`. */
export const brandRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: searchOf((search) => ({ hours: oneOfIn(search, 'hours', ['24', '72']) })),
    component: lazyPage(() => import('../../pages/brands/brand-page.tsx'), 'BrandPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    validateSearch: readKeyFilters,
    component: lazyPage(() => import('../../pages/keys/keys-page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys/new',
    validateSearch: searchOf((search) => ({
      replaces: textIn(search, 'replaces'),
      scopes: textIn(search, 'scopes'),
    })),
    component: lazyPage(() => import('../../pages/keys/new-key-page.tsx'), 'NewKeyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys/$keyId',
    validateSearch: searchOf((search) => ({ days: oneOfIn(search, 'days', ['1', '7', '90']) })),
    component: lazyPage(() => import('../../pages/keys/key-page.tsx'), 'KeyPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys/$keyId/hand-over',
    component: lazyPage(() => import('../../pages/keys/hand-over-page.tsx'), 'HandOverPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/products',
    validateSearch: searchOf((search) => ({
      sku: textIn(search, 'sku')?.slice(0, 191),
      active: oneOfIn(search, 'active', ['true', 'false']),
      variants: oneOfIn(search, 'variants', ['true', 'false']),
      since: dayIn(search, 'since'),
      sort: oneOfIn(search, 'sort', ['updated_at', 'sku', '-sku', '-created_at', 'created_at']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/products/products-page.tsx'), 'ProductsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/products/$productId',
    validateSearch: searchOf((search) => ({
      variant: textIn(search, 'variant'),
      location: textIn(search, 'location'),
    })),
    component: lazyPage(() => import('../../pages/products/product-page.tsx'), 'ProductPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/feeds',
    validateSearch: readFeedFilters,
    component: lazyPage(() => import('../../pages/feeds/feeds-page.tsx'), 'FeedsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/feeds/$feedId',
    validateSearch: searchOf((search) => ({
      result: oneOfIn(search, 'result', [...lineResults, 'failed']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/feeds/feed-page.tsx'), 'FeedPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/explain',
    validateSearch: searchOf((search) => ({
      sku: textIn(search, 'sku'),
      location: textIn(search, 'location'),
      from: textIn(search, 'from'),
      at: textIn(search, 'at'),
      before: countIn(search, 'before'),
      refused_before: textIn(search, 'refused_before'),
    })),
    component: lazyPage(() => import('../../pages/explain/explain-page.tsx'), 'ExplainPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/datasets',
    validateSearch: searchOf((search) => ({
      until: dayIn(search, 'until'),
      from: dayIn(search, 'from'),
      to: dayIn(search, 'to'),
    })),
    component: lazyPage(() => import('../../pages/datasets/datasets-page.tsx'), 'DatasetsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/learners',
    validateSearch: searchOf((search) => ({
      learner: textIn(search, 'learner'),
      market: textIn(search, 'market'),
      out: oneOfIn(search, 'out', ['true', 'false']),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/learners/learners-page.tsx'), 'LearnersPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/learners/opt-out',
    component: lazyPage(() => import('../../pages/learners/opt-out-page.tsx'), 'OptOutPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/learners/$tuId',
    component: lazyPage(() => import('../../pages/learners/learner-page.tsx'), 'LearnerPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/refusals',
    validateSearch: readRefusalFilters,
    component: lazyPage(() => import('../../pages/refusals/refusals-page.tsx'), 'RefusalsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/limits',
    validateSearch: searchOf((search) => ({ key: textIn(search, 'key'), page: pageIn(search) })),
    component: lazyPage(() => import('../../pages/limits/limits-page.tsx'), 'LimitsPage'),
  }),
] as const;
