import { settlingJob } from '../settling-job.ts';
import { settleReturns } from './settle-returns.ts';

/** The queue of brands with learners who opted back in. */
export const returnsQueue = 'mark-days-of-returned-learners';

/** Sends the marks of an opt-in to the analytics store right after it. */
export const settleReturnsJob = settlingJob(returnsQueue, 'learner_returns', settleReturns);
