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
  readonly row: TObject;
  /** The document names the row `<name>Row`, and its page `<name>Page`. */
  readonly name: string;
}

/** The endpoint of each dataset. */
export const servedDatasets: Readonly<Record<DatasetName, ServedDataset>> = {
  daily: { operation: listDailyMetricsOperation, row: DailyRowWire, name: 'DailyMetrics' },
  contents: { operation: listContentMetricsOperation, row: ContentRowWire, name: 'ContentMetrics' },
  users: { operation: listUserDaysOperation, row: UserRowWire, name: 'UserDay' },
  content_engagement: {
    operation: listUserContentsOperation,
    row: ContentEngagementRowWire,
    name: 'ContentEngagement',
  },
};
