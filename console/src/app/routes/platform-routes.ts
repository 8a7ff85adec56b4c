import { homeRoutes } from './home-routes.ts';
import { workRoutes } from './work-routes.ts';

/** The pages that belong to no brand. */
export const platformRoutes = [...homeRoutes, ...workRoutes] as const;
