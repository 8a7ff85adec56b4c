import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findListedContent, findShownLearner } from '../queries/directory-parts.ts';

/** The filters of the lists by parameter name; each list has some of them. */
export interface DatasetFilters {
  readonly user?: string;
  readonly type?: string;
  readonly content?: string;
  readonly completed?: boolean;
}

/**
 * Rejects a query that has only one of content type and tu_id.
 * @throws ApiError `validation_failed` [analytics-14]
 */
export function requireTypeOfContent({ type, content }: DatasetFilters): void {
  if (content !== undefined && type === undefined) throw invalidField('type', 'is required with `content`');
}

/**
 * Returns the conditions of the filters that the query names. An unknown learner, an excluded one and one of another
 * brand get the same response [analytics-16].
 * @throws ApiError `not_found`
 */
export async function conditionsOf(
  database: Queryable,
  brandId: number,
  { user, type, content, completed }: DatasetFilters,
) {
  const contentRefId =
    content === undefined || type === undefined
      ? undefined
      : found(await findListedContent(database, brandId, type, content));
  const learnerId = user === undefined ? undefined : found(await findShownLearner(database, brandId, user));
  return {
    ...(type !== undefined && { contentType: type }),
    ...(completed !== undefined && { isCompleted: completed }),
    ...(contentRefId !== undefined && { contentRefId }),
    ...(learnerId !== undefined && { learnerId }),
  };
}

function found(id: number | null): number {
  if (id === null) throw notFound();
  return id;
}
