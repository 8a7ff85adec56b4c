import type { AnalyticsEngine } from './analytics-engine.ts';

/** Loads the extension that a setting asks for; null: the setting is not set. Nothing else of the core names an extension. */
export async function loadAnalyticsEngine(url: string | null): Promise<AnalyticsEngine | null> {
  if (url === null) return null;
  const { clickHouseEngine } = await import('../../../extensions/clickhouse/src/clickhouse-engine.ts');
  return clickHouseEngine(url);
}
