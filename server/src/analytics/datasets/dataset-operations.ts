import type { TObject } from 'typebox';
import type { ReadOperation } from '../../api/operation.ts';
import type { AnalyticsContext } from '../analytics-context.ts';
import type { DatasetName } from '../store/datasets.ts';
import {
  ContentRowWire,
  DailyRowWire,
  listContentMetricsOperation,
  listDailyMetricsOperation,
} from './metrics-lists.ts';
import {
  ContentEngagementRowWire,
  listUserContentsOperation,
  listUserDaysOperation,
  UserRowWire,
} from './users.ts';

/** How the client API serves a dataset. */
interface ServedDataset {
  readonly operation: ReadOperation<AnalyticsContext>;
  /** Its `$id` is the name of the row in the document. */
  readonly row: TObject;
}

/** The endpoint of each dataset. */
export const servedDatasets: Readonly<Record<DatasetName, ServedDataset>> = {
  daily: { operation: listDailyMetricsOperation, row: DailyRowWire },
  contents: { operation: listContentMetricsOperation, row: ContentRowWire },
  users: { operation: listUserDaysOperation, row: UserRowWire },
  content_engagement: {
    operation: listUserContentsOperation,
    row: ContentEngagementRowWire,
  },
};
