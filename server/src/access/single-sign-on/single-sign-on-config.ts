import { isLoopback } from '../../lib/urls.ts';
import { parseRoleRules, type RoleRule } from './role-rules.ts';

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
