import type { AnalyticsEngine } from './analytics-engine.ts';
import type { BrandMover } from './brand-mover.ts';

/** Loads the engine that a setting asks for; null: the setting is not set. Nothing else of the core imports an extension. */
export async function loadAnalyticsEngine(url: string | null): Promise<AnalyticsEngine | null> {
  if (url === null) return null;
  const { clickHouseEngine } = await import('../../../extensions/clickhouse/src/clickhouse-engine.ts');
  return clickHouseEngine(url);
}

/** Loads what the commands of a brand's move do. */
export async function loadBrandMover(): Promise<BrandMover> {
  return (await import('../../../extensions/brand-moves/src/brand-mover.ts')).brandMover;
}
