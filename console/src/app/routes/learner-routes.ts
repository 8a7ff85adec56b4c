import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { oneOfIn, pageIn, searchOf, textIn } from '../search-params.ts';
import { brandRoute } from './brand-route.ts';

const learnersRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/learners',
  validateSearch: searchOf((search) => ({
    learner: textIn(search, 'learner'),
    market: textIn(search, 'market'),
    out: oneOfIn(search, 'out', ['true', 'false']),
    page: pageIn(search),
  })),
  component: lazyRouteComponent(() => import('../../pages/learners/learners-page.tsx'), 'LearnersPage'),
});

const optOutRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/learners/opt-out',
  component: lazyRouteComponent(() => import('../../pages/learners/opt-out-page.tsx'), 'OptOutPage'),
});

const learnerRoute = createRoute({
  getParentRoute: () => brandRoute,
  path: '/learners/$tuId',
  component: lazyRouteComponent(() => import('../../pages/learners/learner-page.tsx'), 'LearnerPage'),
});

/** The pages about learners. */
export const learnerRoutes = [learnersRoute, optOutRoute, learnerRoute] as const;
