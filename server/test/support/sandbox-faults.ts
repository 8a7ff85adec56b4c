import { FaultRules, faultRulesFromWire, injectFaults } from '../../../extensions/sandbox/src/faults.ts';
import type { AppAdditions } from '../../src/http/create-app.ts';

type WireRule = Parameters<typeof faultRulesFromWire>[0]['rules'][number];

/** One of each kind that a client tries again. */
export const passingFaults = [
  'drop',
  'drop-after-commit',
  'truncate',
  'status=429; retry-after=0',
  'status=503; retry-after=0',
  'html-502',
] as const;

export interface SandboxFaults {
  /** For the apps whose requests meet the faults. */
  readonly additions: AppAdditions;
  /** Replaces the rules of a brand. */
  replace(brandId: number, rules: WireRule[]): void;
}

/** Creates the faults of the sandbox for apps of a test; without rules there are none. */
export function createSandboxFaults(): SandboxFaults {
  const faults = new FaultRules();
  return {
    additions: { extend: (app, listener) => listener === 'client' && injectFaults(app, faults) },
    replace: (brandId, rules) => faults.replace(brandId, 0, faultRulesFromWire({ rules })),
  };
}
