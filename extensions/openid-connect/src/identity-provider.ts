import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';
import type { SingleSignOnConfig } from '../../../server/src/access/sessions/single-sign-on.ts';
import type { Clock } from '../../../server/src/lib/clock.ts';

/** A single sign-on that did not succeed. The page shows title and message; the reason is for the log and names no secret. */
export class SignInError extends Error {
  readonly status: 400 | 403 | 503;
  readonly title: string;
  readonly reason: string;

  constructor(status: 400 | 403 | 503, title: string, message: string, reason: string) {
    super(message);
    this.name = 'SignInError';
    this.status = status;
    this.title = title;
    this.reason = reason;
  }
}

/** The provider did not answer, or not as a provider does. */
function providerUnavailable(reason: string): SignInError {
  return new SignInError(
    503,
    'Single sign-on is unavailable',
    'The identity provider cannot be used at the moment. Try again later, or sign in with a token. The server’s log has the reason.',
    reason,
  );
}

/** The callback belongs to no sign-in that this browser has begun and not finished. */
export function unknownSignIn(reason: string): SignInError {
  return new SignInError(
    400,
    'This sign-in has ended',
    'It was begun more than ten minutes ago, was finished already, or was begun in another browser. Sign in again.',
    reason,
  );
}

/** The provider has refused, or its answer does not prove who the user is. */
export function signInRejected(message: string, reason: string): SignInError {
  return new SignInError(403, 'You are not signed in', message, reason);
}

/** The claims of a user, as the identity provider has signed or sent them. */
type Claims = Readonly<Record<string, unknown>>;

interface Identity {
  /** Identifies the user in the audit: `ada@example.com (login.example/realms/ops)`. */
  readonly actor: string;
  /** The user's own name; null if the provider does not send one. */
  readonly actorName: string | null;
  readonly issuer: string;
  /** The identifier that the provider never gives to another user. */
  readonly subject: string;
}

/** Characters of a name in the audit; a subject has 255 at most. */
const longestName = 255;

/**
 * Names the user by the email address, else by `preferred_username`, else by the subject, always with the issuer, so that no
 * name of a user equals the id of an administrator or `admin-token` [internal-130]. `issuer`: as the provider signs it.
 */
export function identityOf(claims: Claims, issuer: string, subject: string): Identity {
  // An address that the user may have made up identifies nobody.
  const email = claims['email_verified'] === false ? null : nameIn(claims['email']);
  const readable = email ?? nameIn(claims['preferred_username']) ?? nameIn(subject) ?? 'unnamed';
  const source = issuer.replace(/^https?:\/\//, '').replace(/\/$/, '');
  return { actor: `${readable} (${source})`, actorName: nameIn(claims['name']), issuer, subject };
}

/**
 * Returns the values of the roles claim: the strings of a list, or a single string. The claim is named as in the token or, if
 * the token has no claim of this name, by a path with dots, such as `realm_access.roles`. null: the claim does not exist.
 */
export function claimValues(claims: Claims, name: string): readonly string[] | null {
  const found = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split('.'));
  if (found === undefined || found === null) return null;
  return [found].flat().filter((value) => typeof value === 'string');
}

function valueAt(claims: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return claims;
  if (typeof claims !== 'object' || claims === null || !Object.hasOwn(claims, name)) return undefined;
  return valueAt((claims as Claims)[name], rest);
}

/** Returns text that fits in a line of a list; null for anything else. */
function nameIn(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const name = value.trim();
  if (name === '' || name.length > longestName || !name.isWellFormed() || misleading.test(name)) return null;
  return name;
}

/** Controls, line separators, and the marks that reverse the direction of what follows. */
const misleading = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** Bytes of one response of the provider; the largest are its keys, a few kilobytes. */
const largestResponse = 1024 * 1024;

/** A response of the provider that did not arrive, or is no response of a provider. */
class ProviderFault extends Error {}

/**
 * Sends a request to the identity provider and reads the whole response, within the time limit of the given signal.
 * @throws ProviderFault if the provider cannot be reached, answers with a 5xx, is too slow or sends more than 1 MiB
 */
const providerFetch: CustomFetch = async (url, { body, ...init }) => {
  const { origin, pathname } = new URL(url);
  try {
    const response = await fetch(url, { ...init, body: body as NonNullable<RequestInit['body']> });
    const bytes = await readAll(response);
    if (response.status >= 500) throw new Error(`status ${response.status}`);
    const { status, headers } = response;
    return new Response(bytes.length === 0 ? null : bytes, { status, headers });
  } catch (error) {
    throw new ProviderFault(`${init.method} ${origin}${pathname}: ${unreachableReason(error)}`);
  }
};

async function readAll(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > largestResponse) throw new Error('the response is larger than 1 MiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Returns the innermost reason: `fetch` wraps the refused connection. */
function unreachableReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : unreachableReason(error.cause);
}

/** The values that tie the provider's answer to one sign-in. */
export interface FlowSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface IdentityProviderOptions {
  readonly clock: Clock;
  /** The limit of each request to the provider; default: 5 s. */
  readonly timeoutMs?: number;
}

/** The provider's configuration is read again after this time. */
const configurationLifeMs = 10 * 60_000;
const neededMetadata = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
/** The provider's clock may differ by this much. */
const toleratedSkewSeconds = 60;

/**
 * The identity provider, as an OpenID Connect client sees it. Nothing is sent before the first sign-in, so that a provider that
 * is down does not matter to the start. Every method throws a SignInError.
 */
export class IdentityProvider {
  readonly #config: SingleSignOnConfig;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #known: { readonly configuration: Promise<Configuration>; readonly until: number } | null = null;

  constructor(config: SingleSignOnConfig, { clock, timeoutMs = 5_000 }: IdentityProviderOptions) {
    this.#config = config;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /** The address to which the provider sends the browser back; registered with the provider. */
  get redirectUrl(): string {
    return `${this.#config.consoleUrl}sign-in/callback`;
  }

  /** Returns the provider's page for a sign-in by authorization code, with PKCE. */
  async authorizationUrl({ state, nonce, codeVerifier }: FlowSecrets): Promise<string> {
    const configuration = await this.#configuration();
    try {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: this.redirectUrl,
        scope: this.#config.scopes,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    } catch (error) {
      throw providerUnavailable(reasonOf(error));
    }
  }

  /**
   * Exchanges the code of a callback and returns the user's claims. The signature of the token is checked, also over https. If
   * the token lacks the roles claim, the claims of the provider's user information are added.
   *
   * `search`: the query of the callback, with the question mark.
   */
  async claimsOf(
    search: string,
    { state, nonce, codeVerifier }: FlowSecrets,
  ): Promise<Claims & { sub: string }> {
    const configuration = await this.#configuration();
    try {
      const tokens = await authorizationCodeGrant(configuration, new URL(this.redirectUrl + search), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims() as Claims & { sub: string };
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      if (claimValues(claims, this.#config.rolesClaim) !== null || !hasUserInfo) return claims;
      const more = await fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return { ...more, ...claims };
    } catch (error) {
      throw signInErrorOf(error);
    }
  }

  /** Returns the provider's page that ends the user's session there; null if it has none. */
  async signOutUrl(): Promise<string | null> {
    const configuration = await this.#configuration();
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: this.#config.consoleUrl }).href;
  }

  /** Concurrent sign-ins share one request; a failure is not kept. */
  async #configuration(): Promise<Configuration> {
    const now = this.#clock.now();
    if (this.#known === null || this.#known.until <= now) {
      const configuration = this.#discover();
      this.#known = { configuration, until: now + configurationLifeMs };
      configuration.catch(() => {
        if (this.#known?.configuration === configuration) this.#known = null;
      });
    }
    try {
      return await this.#known.configuration;
    } catch (error) {
      throw providerUnavailable(reasonOf(error));
    }
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#config;
    const metadata = {
      // The library reads the wall clock itself.
      [clockSkew]: Math.round((this.#clock.now() - Date.now()) / 1000),
      [clockTolerance]: toleratedSkewSeconds,
    };
    const configuration = await discovery(
      new URL(issuer),
      clientId,
      metadata,
      clientAuthentication(clientSecret),
      {
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
        timeout: this.#timeoutMs / 1000,
        [customFetch]: providerFetch,
      },
    );
    const known = configuration.serverMetadata();
    const missing = neededMetadata.filter((name) => known[name] === undefined);
    if (missing.length > 0)
      throw new ProviderFault(`the configuration of the provider lacks ${missing.join(', ')}`);
    return configuration;
  }
}

/** Sends the secret in the header, which is the standard's default, unless the provider accepts it in the body only. */
function clientAuthentication(secret: string): ClientAuth {
  const inHeader = ClientSecretBasic(secret);
  const inBody = ClientSecretPost(secret);
  return (server, ...rest) => {
    const accepted = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    (accepted.includes('client_secret_basic') ? inHeader : inBody)(server, ...rest);
  };
}

function signInErrorOf(error: unknown): SignInError {
  const reason = reasonOf(error);
  if (error instanceof AuthorizationResponseError) {
    if (error.error === 'access_denied')
      return signInRejected(
        'The identity provider has not admitted you, or you have cancelled the sign-in.',
        reason,
      );
    return providerUnavailable(reason);
  }
  if (error instanceof ResponseBodyError) {
    if (error.error === 'invalid_grant') return unknownSignIn(reason);
    return providerUnavailable(reason);
  }
  // A challenge: the provider does not accept the id or the secret of the client.
  if (error instanceof WWWAuthenticateChallengeError || faultIn(error) !== null)
    return providerUnavailable(reason);
  return signInRejected(
    'The answer of the identity provider does not prove who you are. The server’s log has the reason.',
    reason,
  );
}

function faultIn(error: unknown): ProviderFault | null {
  if (error instanceof ProviderFault) return error;
  return error instanceof Error && error.cause !== undefined ? faultIn(error.cause) : null;
}

/** Describes an error of the client library by its codes: its causes hold tokens, which must not be logged. */
function reasonOf(error: unknown): string {
  const fault = faultIn(error);
  if (fault !== null) return fault.message;
  if (!(error instanceof Error)) return 'unknown';
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return `the provider answered ${error.error}`;
  if (error instanceof WWWAuthenticateChallengeError)
    return `the provider answered ${error.cause[0]?.parameters.error ?? error.status} to the client`;
  const code = (error as { code?: unknown }).code;
  const inner =
    error.cause instanceof Error && error.cause.cause === undefined ? `: ${error.cause.message}` : '';
  return `${error.message}${inner}${typeof code === 'string' ? ` (${code})` : ''}`;
}
