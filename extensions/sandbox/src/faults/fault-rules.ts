export interface FaultRule {
  /** null: all. */
  readonly operation: string | null;
  readonly fault: Fault;
  /** From 0 to 1, drawn with the seed; null: every n-th. */
  readonly share: number | null;
  readonly every: number;
}

interface CountedRule extends FaultRule {
  count: number;
}

interface RuleSet {
  readonly seed: number;
  readonly rules: readonly CountedRule[];
}

const maxRuleSets = 1_000;

/** The rules of each brand, and those of all [D281]. */
export class FaultRules {
  readonly #sets = new Map<number | null, RuleSet>();

  /** Replaces the rules of a brand; null: those of all brands. Their counts begin again. */
  replace(brandId: number | null, seed: number, rules: readonly FaultRule[]): void {
    this.#sets.delete(brandId);
    if (rules.length === 0) return;
    if (this.#sets.size >= maxRuleSets) this.#sets.delete([...this.#sets.keys()][0] as number | null);
    this.#sets.set(brandId, { seed, rules: rules.map((rule) => ({ ...rule, count: 0 })) });
  }

  /** Returns the fault of the next request of an operation; null: none. Rules of the brand come first. */
  next(brandId: number | null, operation: string): Fault | null {
    return (brandId === null ? null : this.#nextOf(brandId, operation)) ?? this.#nextOf(null, operation);
  }

  #nextOf(brandId: number | null, operation: string): Fault | null {
    const { seed = 0, rules = [] } = this.#sets.get(brandId) ?? {};
    let met: Fault | null = null;
    // Every rule counts every request, so that a rule draws the same regardless of those before it.
    for (const [index, rule] of rules.entries()) {
      if (rule.operation !== null && rule.operation !== operation) continue;
      rule.count += 1;
      const { share, every, count } = rule;
      const isMet = share === null ? count % every === 0 : draw(seed, index, count) < share;
      if (isMet) met ??= rule.fault;
    }
    return met;
  }
}

/** Returns a number from 0 to below 1 that depends on its arguments only: the finaliser of MurmurHash3 over them. */
function draw(seed: number, rule: number, count: number): number {
  let bits = seed | 0;
  for (const part of [rule, count]) {
    bits = Math.imul(bits ^ (part + 0x9e3779b9), 0x85ebca6b);
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
    bits ^= bits >>> 16;
  }
  return (bits >>> 0) / 2 ** 32;
}

/** A fault that a request of the client API meets. */
export type Fault =
  | { readonly kind: 'drop' | 'drop-after-commit' | 'truncate' | 'html-502' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'status'; readonly status: 429 | 500 | 503; readonly retryAfter: number | null };

const plainKinds = ['drop', 'drop-after-commit', 'truncate', 'html-502'] as const;
const statuses = [429, 500, 503] as const;
const longestDelayMs = 60_000;
const longestRetryAfter = 3_600;

export const faultForm =
  'must be drop, drop-after-commit, truncate, html-502, delay=<ms up to 60000>, or status=<429, 500 or 503>, also with "; retry-after=<s>"';

/** Reads a fault, such as `status=503; retry-after=2`; null: there is none like it. */
export function parseFault(text: string): Fault | null {
  const plain = plainKinds.find((kind) => kind === text.trim());
  if (plain !== undefined) return { kind: plain };
  const delay = /^\s*delay=(\d{1,5})\s*$/.exec(text);
  if (delay !== null)
    return Number(delay[1]) > longestDelayMs ? null : { kind: 'delay', ms: Number(delay[1]) };
  const [, code, seconds] = /^\s*status=(\d{3})\s*(?:;\s*retry-after=(\d{1,4})\s*)?$/.exec(text) ?? [];
  const status = statuses.find((one) => String(one) === code);
  if (status === undefined || Number(seconds ?? 0) > longestRetryAfter) return null;
  return { kind: 'status', status, retryAfter: seconds === undefined ? null : Number(seconds) };
}
