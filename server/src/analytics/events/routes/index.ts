import type { Operation } from '../../../api/operation.ts';
import type { AnalyticsContext } from '../../analytics-context.ts';
import { postLearningEventsOperation } from './post-learning-events.ts';

export const eventOperations: readonly Operation<AnalyticsContext>[] = [postLearningEventsOperation];
