import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findListedContent } from '../queries/list-contents.ts';
import { findShownLearner } from '../queries/list-learners.ts';

interface ContentFilterQuery {
  readonly type?: string;
  readonly content?: string;
}

/**
 * Rejects a query that has only one of content type and tu_id.
 * @throws ApiError `validation_failed` [analytics-14]
 */
export function requireTypeOfContent({ type, content }: ContentFilterQuery): void {
  if (content !== undefined && type === undefined) throw invalidField('type', 'is required with `content`');
}

/**
 * Returns a condition on the id of the requested content; an empty condition if the query names none.
 * @throws ApiError `not_found`
 */
export async function contentCondition(
  database: Queryable,
  brandId: number,
  { type, content }: ContentFilterQuery,
): Promise<{ contentRefId?: number }> {
  if (content === undefined || type === undefined) return {};
  const contentRefId = await findListedContent(database, brandId, type, content);
  if (contentRefId === null) throw notFound();
  return { contentRefId };
}

/**
 * Returns a condition on the id of the requested learner; an empty condition if the query names none. An unknown
 * learner, an excluded one and one of another brand get the same response [analytics-16].
 * @throws ApiError `not_found`
 */
export async function learnerCondition(
  database: Queryable,
  brandId: number,
  user: string | undefined,
): Promise<{ learnerId?: number }> {
  if (user === undefined) return {};
  const learnerId = await findShownLearner(database, brandId, user);
  if (learnerId === null) throw notFound();
  return { learnerId };
}
