import type { TestApps } from '../../../test/support/test-apps.ts';
import { applyRetention, type PolicyOutcome, type RetentionObserver } from '../apply-retention.ts';
import { type Keep, type PolicyName, policySettings } from '../policy-settings.ts';

export const dayMs = 86_400_000;

const forever = Object.fromEntries(policySettings.map(({ policy }) => [policy, null])) as Keep;

/** Applies the given policies; all others keep their data. */
export async function retain(
  { context }: Pick<TestApps, 'context'>,
  keep: Partial<Keep>,
  more: { readonly observer?: RetentionObserver; readonly signal?: AbortSignal } = {},
): Promise<PolicyOutcome[]> {
  const { signal = new AbortController().signal, observer } = more;
  return applyRetention(context, { keep: { ...forever, ...keep }, signal, ...(observer && { observer }) });
}

/** Like `retain` for one policy, whose outcome is returned. */
export async function retainOne(
  apps: Pick<TestApps, 'context'>,
  policy: PolicyName,
  days: number,
): Promise<PolicyOutcome> {
  const outcomes = await retain(apps, { [policy]: days });
  return outcomes.find((outcome) => outcome.policy === policy) as PolicyOutcome;
}
