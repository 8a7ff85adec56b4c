/** The test of a rule: series in the notation of `promtool test rules`, a sample a minute. */
export interface AlertCase {
  readonly alert: string;
  /** Series with which the alert fires at `after`, and did not before. */
  readonly fires: Readonly<Record<string, string>>;
  readonly before: string;
  readonly after: string;
  /** Series with which it never fires. */
  readonly quiet: Readonly<Record<string, string>>;
}

const labels = 'job="brandport",instance="a:8081"';
const series = (name: string, more = '') => `${name}{${labels}${more === '' ? '' : `,${more}`}}`;
const requests = (status: string) =>
  series('brandport_http_requests_total', `status="${status}",listener="client"`);
const durations = (le: string) =>
  series('brandport_http_request_duration_seconds_bucket', `le="${le}",listener="client",method="GET"`);
const gibibyte = 1024 ** 3;

type Turn = readonly [good: number, bad: number];
const turning = (
  alert: string,
  name: string,
  after: string,
  [fires, quiet]: [string, string],
): AlertCase => ({
  alert,
  fires: { [name]: fires },
  before: '30m',
  after,
  quiet: { [name]: quiet },
});
/** A gauge that is `good` for half an hour and then `bad`. */
const turns = (good: number, bad: number) => `${good}x30 ${bad}x60`;
const gauge = (alert: string, name: string, [good, bad]: Turn, after: string) =>
  turning(alert, name, after, [turns(good, bad), `${good}x90`]);
/** A counter that grows by `good` a minute for half an hour, and then by `bad`. */
const counter = (alert: string, name: string, [good, bad]: Turn, after: string) =>
  turning(alert, name, after, [`0+${good}x30 ${good * 30 + bad}+${bad}x60`, `0+${good}x90`]);

export const alertCases: readonly AlertCase[] = [
  gauge('BrandportDown', series('up'), [1, 0], '33m'),
  turning('BrandportScrapeLost', series('up'), '33m', ['1x30 stale', '1x30 0x60']),
  {
    alert: 'BrandportCrashLoop',
    // Each life is scraped once, and lasts too short for BrandportDown.
    fires: { [series('process_start_time_seconds')]: '100x30 1900+60x30' },
    before: '30m',
    after: '34m',
    // An upgrade, and the way back.
    quiet: { [series('process_start_time_seconds')]: '100x30 1900x2 2100x60' },
  },
  {
    alert: 'BrandportNoWorker',
    fires: {
      [series('up')]: '1x90',
      [series('brandport_build_info', 'role="api"')]: '1x90',
      [`brandport_build_info{job="brandport",instance="b:8081",role="worker"}`]: '1x30 stale',
    },
    before: '30m',
    after: '33m',
    quiet: {
      [series('up')]: '1x90',
      [series('brandport_build_info', 'role="api"')]: '1x90',
      [`brandport_build_info{job="brandport",instance="b:8081",role="all"}`]: '1x90',
    },
  },
  // All processes are out of the proxy: none is asked, so none refuses.
  {
    alert: 'BrandportDatabaseDown',
    fires: {
      [series('brandport_database_up')]: turns(1, 0),
      [series('brandport_database_refusals_total', 'reason="unreachable"')]: '239x90',
      [series('brandport_database_writable')]: '1x30 _x60',
    },
    before: '30m',
    after: '32m',
    quiet: { [series('brandport_database_up')]: '1x90' },
  },
  counter(
    'BrandportDatabaseRefusals',
    series('brandport_database_refusals_total', 'reason="unreachable"'),
    [0, 60],
    '36m',
  ),
  gauge('BrandportDatabaseNotWritable', series('brandport_database_writable'), [1, 0], '33m'),
  {
    alert: 'BrandportServerErrors',
    fires: { [requests('200')]: '0+100x90', [requests('500')]: '0+0x30 0+10x60' },
    before: '30m',
    after: '45m',
    quiet: { [requests('200')]: '0+1000x90', [requests('500')]: '0+1x90', [requests('404')]: '0+900x90' },
  },
  {
    alert: 'BrandportSlow',
    fires: { [durations('1')]: '0+90x90', [durations('2.5')]: '0+100x90', [durations('+Inf')]: '0+100x90' },
    before: '8m',
    after: '20m',
    quiet: { [durations('1')]: '0+100x90', [durations('2.5')]: '0+100x90', [durations('+Inf')]: '0+100x90' },
  },
  {
    ...counter(
      'BrandportConnectionsShort',
      series('brandport_pool_wait_seconds_sum', 'kind="transactions"'),
      [1, 300],
      '45m',
    ),
    // Writes that queue behind those of their brand have no connection.
    quiet: { [series('brandport_pool_wait_seconds_sum', 'kind="writes"')]: '0+300x90' },
  },
  gauge('BrandportRedisDown', series('brandport_redis_up'), [1, 0], '33m'),
  gauge('BrandportAnalyticsDown', series('brandport_analytics_up'), [1, 0], '36m'),
  gauge('BrandportFeedsStuck', series('brandport_stock_feed_oldest_age_seconds'), [30, 1_000], '38m'),
  counter(
    'BrandportFeedFailed',
    series('brandport_stock_feeds_finished_total', 'status="failed"'),
    [0, 1],
    '33m',
  ),
  counter(
    'BrandportJobFailing',
    series('brandport_jobs_total', 'name="aggregate-days",outcome="failed"'),
    [0, 2],
    '50m',
  ),
  // The time of the test begins at 0, so a run long ago was before it.
  gauge(
    'BrandportRetentionOld',
    series('brandport_retention_last_run_timestamp_seconds', 'policy="audit"'),
    [0, -200_000],
    '65m',
  ),
  gauge('BrandportDatasetsOld', series('brandport_dataset_age_seconds'), [90_000, 120_000], '45m'),
  gauge('BrandportDoctorFindings', series('brandport_doctor_findings'), [0, 3], '33m'),
  {
    alert: 'BrandportKeysExpire',
    fires: { [series('brandport_api_keys_expiring', 'within="7d"')]: '0x30 2x90' },
    before: '60m',
    after: '100m',
    quiet: {
      [series('brandport_api_keys_expiring', 'within="7d"')]: '0x120',
      [series('brandport_api_keys_expiring', 'within="30d"')]: '5x120',
    },
  },
  counter(
    'BrandportKeyGuessing',
    series('brandport_authentication_failures_total', 'reason="unknown",listener="client"'),
    [60, 600],
    '45m',
  ),
  counter(
    'BrandportConnectionsDisplaced',
    series('brandport_http_connections_displaced_total', 'listener="client"'),
    [0, 3],
    '33m',
  ),
  gauge('BrandportBodiesWait', series('brandport_request_bodies_waiting', 'room="large"'), [0, 5], '45m'),
  gauge('BrandportMemoryHigh', series('process_resident_memory_bytes'), [300 * 1024 ** 2, gibibyte], '45m'),
  {
    alert: 'BrandportDatabaseGrowth',
    fires: {
      [series('brandport_database_size_bytes', 'database="main"')]: `${10 * gibibyte}+${gibibyte / 60}x480`,
    },
    before: '5h',
    after: '7h',
    quiet: {
      [series('brandport_database_size_bytes', 'database="main"')]: `${10 * gibibyte}+1024x480`,
    },
  },
  {
    alert: 'BrandportVersionsMixed',
    fires: {
      [series('brandport_build_info', 'version="0.1.0"')]: '1x120',
      [`brandport_build_info{job="brandport",instance="b:8081",version="0.2.0"}`]: '_x20 1x100',
    },
    before: '60m',
    after: '90m',
    quiet: {
      [series('brandport_build_info', 'version="0.1.0"')]: '1x120',
      [`brandport_build_info{job="brandport",instance="b:8081",version="0.1.0"}`]: '1x120',
    },
  },
];
