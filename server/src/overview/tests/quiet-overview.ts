/** The figures of an overview on a day without work and concerns. */
export const quiet = {
  feeds: {
    queued: 0,
    processing: 0,
    oldest_age_seconds: null,
    waiting_lines: 0,
    lines_per_second: null,
    failed_24h: 0,
    refused_lines_24h: 0,
  },
  jobs: { failed_24h: 0, failures: [] },
  datasets: { brands_behind: 0, dirty_days: 0, last_run: null },
  keys: { expiring_30d: 0, unused_90d: 0, overlaps: 0 },
  refusals: { last_24h: 0, keys: 0 },
  concerns: [],
  limits: { denials_1h: 0 },
  doctor: null,
};
