import { brandPageRoutes } from './brand-page-routes.ts';
import { datasetRoutes } from './dataset-routes.ts';
import { explainRoutes } from './explain-routes.ts';
import { feedRoutes } from './feed-routes.ts';
import { idempotencyRoutes } from './idempotency-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { learnerRoutes } from './learner-routes.ts';
import { limitRoutes } from './limit-routes.ts';
import { productRoutes } from './product-routes.ts';

/** The pages of one brand, below `/brands/{id}`. */
export const brandRoutes = [
  ...brandPageRoutes,
  ...keyRoutes,
  ...productRoutes,
  ...feedRoutes,
  ...explainRoutes,
  ...datasetRoutes,
  ...learnerRoutes,
  ...idempotencyRoutes,
  ...limitRoutes,
] as const;
