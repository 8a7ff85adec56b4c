import { createRoute } from '@tanstack/react-router';
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
import { rootRoute } from './parent-routes.ts';

const getParentRoute = () => rootRoute;

/** The pages that belong to no brand. */
export const platformRoutes = [
  createRoute({
    getParentRoute,
    path: '/',
    validateSearch: searchOf((search) => ({ hours: oneOfIn(search, 'hours', ['24', '72']) })),
    component: lazyPage(() => import('../../pages/home/home-page.tsx'), 'HomePage'),
  }),
  createRoute({
    getParentRoute,
    path: '/brands',
    validateSearch: searchOf((search) => ({
      search: textIn(search, 'search'),
      sort: oneOfIn(
        search,
        'sort',
        (['name', 'requests_24h', 'refused_24h', 'failed_lines_24h'] as const).flatMap(
          (field) => [field, `-${field}`] as const,
        ),
      ),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/brands/brands-page.tsx'), 'BrandsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/brands/new',
    component: lazyPage(() => import('../../pages/brands/new-brand-page.tsx'), 'NewBrandPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/feeds',
    validateSearch: readFeedFilters,
    component: lazyPage(() => import('../../pages/feeds/feeds-page.tsx'), 'AllFeedsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/datasets',
    component: lazyPage(() => import('../../pages/datasets/lag-page.tsx'), 'LagPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/jobs',
    validateSearch: searchOf((search) => ({
      state: oneOfIn(search, 'state', ['queued', 'running', 'failed']),
      queue: textIn(search, 'queue'),
      brand: countIn(search, 'brand'),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/jobs/jobs-page.tsx'), 'JobsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/jobs/$jobId',
    component: lazyPage(() => import('../../pages/jobs/job-page.tsx'), 'JobPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/audit',
    validateSearch: searchOf((search) => ({
      actor: textIn(search, 'actor'),
      action: textIn(search, 'action'),
      resource_type: textIn(search, 'resource_type'),
      resource_id: textIn(search, 'resource_id') ?? textIn(search, 'resource'),
      brand: countIn(search, 'brand'),
      exclude: oneOfIn(search, 'exclude', ['session']),
      from: dayIn(search, 'from'),
      to: dayIn(search, 'to'),
      page: pageIn(search),
    })),
    component: lazyPage(() => import('../../pages/audit/audit-page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/keys',
    validateSearch: searchOf((search) => ({ ...readKeyFilters(search), brand: countIn(search, 'brand') })),
    component: lazyPage(() => import('../../pages/keys/keys-page.tsx'), 'AllKeysPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/requests',
    validateSearch: searchOf((search) => ({
      ...readRefusalFilters(search),
      brand: countIn(search, 'brand'),
    })),
    component: lazyPage(() => import('../../pages/refusals/refusals-page.tsx'), 'RequestsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/requests/$requestId',
    component: lazyPage(() => import('../../pages/requests/request-page.tsx'), 'RequestPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/administrators',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(
      () => import('../../pages/administrators/administrators-page.tsx'),
      'AdministratorsPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/administrators/new',
    component: lazyPage(
      () => import('../../pages/administrators/new-administrator-page.tsx'),
      'NewAdministratorPage',
    ),
  }),
  createRoute({
    getParentRoute,
    path: '/sessions',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(() => import('../../pages/administrators/sessions-page.tsx'), 'SessionsPage'),
  }),
  createRoute({
    getParentRoute,
    path: '/doctor',
    validateSearch: searchOf((search) => ({ page: pageIn(search) })),
    component: lazyPage(() => import('../../pages/doctor/doctor-page.tsx'), 'DoctorPage'),
  }),
] as const;
