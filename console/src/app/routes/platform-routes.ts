import { auditRoutes } from './audit-routes.ts';
import { doctorRoutes } from './doctor-routes.ts';
import { allFeedRoutes } from './feed-routes.ts';
import { homeRoutes } from './home-routes.ts';
import { leakRoutes } from './leak-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { workRoutes } from './work-routes.ts';

/** The pages that belong to no brand. */
export const platformRoutes = [
  ...homeRoutes,
  ...allFeedRoutes,
  ...workRoutes,
  ...leakRoutes,
  ...auditRoutes,
  ...requestRoutes,
  ...peopleRoutes,
  ...doctorRoutes,
] as const;
