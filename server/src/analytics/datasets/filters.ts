import { invalidField, notFound } from '../../errors/api-error.ts';
import type { Queryable } from '../../postgres/database.ts';
import { findListedContent, findShownLearner } from '../queries/directory-parts.ts';

export interface DatasetFilters {
  readonly user?: string;
  readonly type?: string;
  readonly content?: string;
  readonly completed?: boolean;
}

/** @throws ApiError `validation_failed` for a content without its type [analytics-14] */
export function requireTypeOfContent({ type, content }: DatasetFilters): void {
  if (content !== undefined && type === undefined) throw invalidField('type', 'is required with `content`');
}

/**
 * Unknown and excluded learners, and those of another brand, get the same response [analytics-16].
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
