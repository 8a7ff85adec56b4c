import { type AccessRole, accessRoles, type BrandReach } from '../../api/access.ts';

/** One value of the roles claim, and the role that it gives. */
export interface RoleRule {
  readonly value: string;
  readonly role: AccessRole;
  /** null: all brands. Never null for an operator, always null for an administrator. */
  readonly brandIds: BrandReach;
}

/** The role and brands of one session. */
export type Grant = Pick<RoleRule, 'role' | 'brandIds'>;

const largestBrandId = 2_147_483_647;
const form = 'administrator=<value>, operator:1,2=<value> or support=<value>';
/** A comma instead of a semicolon: the next entry would silently be part of the value before it. */
const runOn = new RegExp(`[,\\s](?:${accessRoles.join('|')})(?::[\\d,\\s]*)?=`);

/**
 * Parses `administrator=value; operator:1,2=value; support=value`. Everything behind the first `=` is the value, so that a
 * distinguished name is a value as it is [D177]. Returns a sentence about the first mistake, if there is one.
 */
export function parseRoleRules(text: string): readonly RoleRule[] | { readonly problem: string } {
  const rules: RoleRule[] = [];
  const entries = text.split(';').map((entry) => entry.trim());
  for (const entry of entries.filter((each) => each !== '')) {
    const rule = parseRule(entry);
    if (typeof rule === 'string') return { problem: `has the entry "${entry}", ${rule}` };
    if (rules.some(({ value }) => value === rule.value))
      return { problem: `names "${rule.value}" twice; a value gives one role.` };
    rules.push(rule);
  }
  return rules.length === 0 ? { problem: `must have an entry such as ${form}.` } : rules;
}

/** Returns the rule, or the end of a sentence about the mistake. */
function parseRule(entry: string): RoleRule | string {
  const [, roleName, , brands, value = ''] = /^([a-z]+)\s*(:([\d,\s]*))?=(.*)$/s.exec(entry) ?? [];
  const role = accessRoles.find((name) => name === roleName);
  if (role === undefined || value.trim() === '') return `which is not ${form}.`;
  if (runOn.test(value)) return 'which is more than one entry; separate entries by semicolons.';
  const rule = { value: value.trim(), role };
  if (brands === undefined)
    return role === 'operator'
      ? `but an operator needs brands: operator:1,2=${rule.value}.`
      : { ...rule, brandIds: null };
  if (role === 'administrator') return 'but an administrator always has all brands.';
  const brandIds = brands.split(',').map((id) => (/^[1-9]\d{0,9}$/.test(id.trim()) ? Number(id) : Infinity));
  if (brandIds.some((id) => id > largestBrandId)) return 'whose brands are not ids such as 1,2.';
  return { ...rule, brandIds: ascending(brandIds) };
}

/** Returns the highest role in a user's claim, with the brands of all values that give it; null: none [internal-131]. */
export function grantOf(rules: readonly RoleRule[], values: readonly string[]): Grant | null {
  const matching = rules.filter(({ value }) => values.includes(value));
  const role = accessRoles.find((name) => matching.some((rule) => rule.role === name));
  if (role === undefined) return null;
  const reaches = matching.filter((rule) => rule.role === role).map(({ brandIds }) => brandIds);
  if (reaches.includes(null)) return { role, brandIds: null };
  return { role, brandIds: ascending(reaches.flatMap((brandIds) => brandIds ?? [])) };
}

function ascending(ids: readonly number[]): readonly number[] {
  return [...new Set(ids)].sort((a, b) => a - b);
}
