import type { DatasetShape } from './dataset-shape.ts';
import { listOf } from './literals.ts';

/**
 * Returns a condition that leaves out hidden learners, with its `and`; empty if there is none to leave out. Every statement that
 * copies stored rows needs it: the deletion that follows the hiding does not reach rows that are written while it runs [D205].
 */
export function notHidden({ keys }: DatasetShape, hiddenLearnerIds: readonly number[]): string {
  return hiddenLearnerIds.length > 0 && keys.includes('user_id')
    ? ` and user_id not in ${listOf(hiddenLearnerIds)}`
    : '';
}
