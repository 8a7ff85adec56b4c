import type {
  AnalyticsStatus,
  ContentEngagementRow,
  ContentMetricsRow,
  DailyMetricsRow,
  GetAnalyticsStatusQuery,
  ListContentMetricsQuery,
  ListDailyMetricsQuery,
  ListUserContentsQuery,
  ListUserDaysQuery,
  UserDayRow,
} from '../generated/wire.ts';
import { cursorPages, offsetPages } from '../pages.ts';
import type { ClientApi } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions } from '../transport/client-options.ts';
import { Dataset } from './dataset.ts';

/** Learning analytics of the key's brand: four datasets by day, and the days that are aggregated. */
export class Analytics {
  /** The brand's figures by day, optionally by market. */
  readonly daily: Dataset<ListDailyMetricsQuery, DailyMetricsRow>;
  /** Figures by content and day. */
  readonly contents: Dataset<ListContentMetricsQuery, ContentMetricsRow>;
  /** Figures by learner and day. */
  readonly users: Dataset<ListUserDaysQuery, UserDayRow>;
  /** Figures by learner, content and day. */
  readonly contentEngagement: Dataset<ListUserContentsQuery, ContentEngagementRow>;
  readonly #api: ClientApi;

  constructor(api: ClientApi) {
    this.#api = api;
    this.daily = new Dataset(api, {
      name: 'daily',
      capDays: 366,
      list: (query, options) => offsetPages(api, 'listDailyMetrics', [], { query, options }),
    });
    this.contents = new Dataset(api, {
      name: 'contents',
      capDays: 92,
      list: (query, options) => cursorPages(api, 'listContentMetrics', [], { query, options }),
    });
    this.users = new Dataset(api, {
      name: 'users',
      capDays: 92,
      list: (query, options) => cursorPages(api, 'listUserDays', [], { query, options }),
    });
    this.contentEngagement = new Dataset(api, {
      name: 'content_engagement',
      capDays: 92,
      list: (query, options) => cursorPages(api, 'listUserContents', [], { query, options }),
    });
  }

  /**
   * Returns the key, and the days and the revision of each dataset; with `changes_since`, also the days that have changed.
   * `datasets` is null while their store is unavailable.
   */
  status(query: GetAnalyticsStatusQuery = {}, options?: CallOptions): Call<AnalyticsStatus> {
    return this.#api.call('getAnalyticsStatus', [], { query }, options);
  }
}
