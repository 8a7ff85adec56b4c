import type { Operation } from '../../../api/operation.ts';
import { postLearningEventsOperation } from './post-learning-events.ts';

export const eventOperations: readonly Operation[] = [postLearningEventsOperation];
