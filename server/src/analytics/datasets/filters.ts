import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findListedContent } from '../queries/list-contents.ts';
import { findShownLearner } from '../queries/list-learners.ts';

interface ContentFilterQuery {
  readonly type?: string;
  readonly content?: string;
}

/** A content is named by type and tu_id together. @throws ApiError `validation_failed` [analytics-14] */
export function requireTypeOfContent({ type, content }: ContentFilterQuery): void {
  if (content !== undefined && type === undefined) throw invalidField('type', 'is required with `content`');
}

/**
 * The id of the content that a query asks for, as a condition; an empty one when it asks for none.
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
 * The id of the learner that a query asks for, as a condition; an empty one when it asks for none. Unknown, excluded
 * and another brand's are the same answer [analytics-16].
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
