import { ContentRowWire, contentRowExample, contentRowToWire } from '../content-wire.ts';
import { contentFilter, typeFilter } from '../dataset-parameters.ts';
import { keysetOperation } from '../keyset-operation.ts';

/** Includes rows of contents that are not listed [analytics-14] [analytics-19]. */
export const listContentMetricsOperation = keysetOperation({
  id: 'listContentMetrics',
  path: '/metrics/contents',
  summary: 'List content metrics by day',
  description:
    'One row per content and day with activity, ordered by content, then day (ascending). Follow `cursor` until `meta.next_cursor` is null. Quests are not included.',
  access: ['analytics.metrics:read'],
  dataset: 'contents',
  defaultDays: 30,
  filters: { type: typeFilter, content: contentFilter },
  item: ContentRowWire,
  example: contentRowExample,
  read: 'listContents',
  key: ['contentRefId', 'day'],
  show: (row, { contents }) => contentRowToWire(row, contents.get(row.contentRefId)),
});
