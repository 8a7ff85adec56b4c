import type { Operation } from '../../../api/operation.ts';
import { postEventsOperation } from './post-events.ts';

export const eventOperations: readonly Operation[] = [postEventsOperation];
