import type { Database } from '../postgres/database.ts';
import type { OpenEngine } from './analytics-engine.ts';
import { loadAnalyticsEngine } from './load-extensions.ts';

/** Opens the engine of the settings for a command, without asking it anything; null: there is none. */
export async function openEngine(url: string | null): Promise<OpenEngine | null> {
  return (await loadAnalyticsEngine(url))?.open() ?? null;
}

/**
 * Opens the engine of an analytics store for a command that reads it as it is; null: there is none.
 * @throws StoreMismatch if it is not the store's
 */
export async function openOwnEngine(url: string | null, store: Database): Promise<OpenEngine | null> {
  const engine = await openEngine(url);
  try {
    await engine?.requireOwn(store);
    return engine;
  } catch (error) {
    await engine?.close();
    throw error;
  }
}
