import assert from 'node:assert/strict';
import { ConfigError, loadConfig } from '../config.ts';

/** Returns what the configuration refuses of an environment; nothing: it is accepted. */
export function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(env, '/srv');
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.problems;
  }
  return [];
}
