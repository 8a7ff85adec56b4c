import { type AccessRole, accessRoles, type BrandReach } from '../../api/access.ts';
import { isLoopback } from '../../lib/addresses.ts';

/** One value of the roles claim, and the role that it gives. */
export interface RoleRule {
  readonly value: string;
  readonly role: AccessRole;
  /** null: all brands. Never null for an operator, always null for an administrator. */
  readonly brandIds: BrandReach;
}

/** The role and brands of one session. */
type Grant = Pick<RoleRule, 'role' | 'brandIds'>;

const largestBrandId = 2_147_483_647;
const form = 'administrator=<value>, operator:1,2=<value> or support=<value>';
/** A comma instead of a semicolon: the next entry would silently be part of the value before it. */
const runOn = new RegExp(`[,\\s](?:${accessRoles.join('|')})(?::[\\d,\\s]*)?=`);

/**
 * Parses `administrator=value; operator:1,2=value; support=value`. Everything behind the first `=` is the value, so that a
 * distinguished name is a value as it is [D176]. Returns a sentence about the first mistake, if there is one.
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

export interface SingleSignOnConfig {
  /** The issuer; its configuration is at `<issuer>/.well-known/openid-configuration`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The console as browsers reach it; ends with `/console/`. */
  readonly consoleUrl: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly rolesClaim: string;
  readonly roles: readonly RoleRule[];
}

type ReadText = (name: string, fallback: string) => string;

const settingNames = {
  issuer: 'BRANDPORT_OIDC_ISSUER',
  clientId: 'BRANDPORT_OIDC_CLIENT_ID',
  clientSecret: 'BRANDPORT_OIDC_CLIENT_SECRET',
  roles: 'BRANDPORT_OIDC_ROLES',
  consoleUrl: 'BRANDPORT_CONSOLE_URL',
} as const;

/** Reads the address of the console, ending in a slash; null: none. Adds a sentence to `problems` if it is wrong. */
export function readConsoleUrl(
  read: ReadText,
  problems: string[],
  { allowsHttp }: { readonly allowsHttp: boolean },
): string | null {
  const text = read(settingNames.consoleUrl, '');
  if (text === '') return null;
  checkConsoleUrl(text, allowsHttp, problems);
  return text.replace(/\/?$/, '/');
}

/** Reads the settings of single sign-on; null if none is set. Adds a sentence to `problems` for each that is wrong or missing. */
export function readSingleSignOn(
  read: ReadText,
  problems: string[],
  consoleUrl: string | null,
): SingleSignOnConfig | null {
  const scopes = read('BRANDPORT_OIDC_SCOPES', 'openid profile email');
  const rolesClaim = read('BRANDPORT_OIDC_ROLES_CLAIM', 'roles');
  const entries = Object.entries(settingNames).map(
    ([key, name]) => [key, key === 'consoleUrl' ? (consoleUrl ?? '') : read(name, '')] as const,
  );
  const given = Object.fromEntries(entries) as Record<keyof typeof settingNames, string>;
  const { issuer, clientId, clientSecret } = given;
  const isWanted = [issuer, clientId, clientSecret, given.roles].some((text) => text !== '');
  const found: string[] = [];
  if (isWanted) {
    for (const [key, text] of entries)
      if (text === '')
        found.push(`${settingNames[key as keyof typeof settingNames]} must be set for single sign-on.`);
    if (issuer !== '') checkIssuer(issuer, found);
    if (!scopes.split(' ').includes('openid'))
      found.push('BRANDPORT_OIDC_SCOPES must contain openid, such as "openid profile email groups".');
  }
  const roles = given.roles === '' ? [] : parseRoleRules(given.roles);
  if ('problem' in roles) found.push(`${settingNames.roles} ${roles.problem}`);
  problems.push(...found);
  if (!isWanted || found.length > 0 || 'problem' in roles) return null;
  return { issuer, clientId, clientSecret, consoleUrl: given.consoleUrl, roles, scopes, rolesClaim };
}

function checkConsoleUrl(text: string, allowsHttp: boolean, problems: string[]): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || hasMore(url) || !/\/console\/?$/.test(url.pathname))
    problems.push(
      `${settingNames.consoleUrl} must be an address such as https://brandport.example/console/.`,
    );
  else if (url.protocol === 'http:' && !allowsHttp && !isLoopback(url))
    problems.push(
      `${settingNames.consoleUrl} must start with https://, except on localhost or with BRANDPORT_CONSOLE_INSECURE=1.`,
    );
}

function checkIssuer(text: string, problems: string[]): void {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || hasMore(url))
    problems.push(`${settingNames.issuer} must be an address such as https://login.example/realms/staff.`);
  else if (url.pathname.includes('/.well-known/'))
    problems.push(
      `${settingNames.issuer} must be the issuer alone, without /.well-known/openid-configuration.`,
    );
  else if (url.protocol === 'http:' && !isLoopback(url))
    problems.push(`${settingNames.issuer} must start with https://, except on this machine.`);
}

/** Returns whether the address has parts that neither setting may have. */
function hasMore({ search, hash, username, password }: URL): boolean {
  return search + hash + username + password !== '';
}
