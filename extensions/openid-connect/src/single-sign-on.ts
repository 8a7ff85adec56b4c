import { createHmac } from 'node:crypto';
import { beginSession } from '../../../server/src/access/sessions/sign-in.ts';
import { grantOf, type SingleSignOnConfig } from '../../../server/src/access/sessions/single-sign-on.ts';
import type { ServiceContext } from '../../../server/src/api/operation.ts';
import { randomHex } from '../../../server/src/lib/ids.ts';
import { sha256 } from '../../../server/src/lib/secrets.ts';
import {
  claimValues,
  type FlowSecrets,
  IdentityProvider,
  type IdentityProviderOptions,
  identityOf,
  signInRejected,
  unknownSignIn,
} from './identity-provider.ts';
import { insertSignIn, takeSignIn } from './sign-in-store.ts';

/** A browser has this long to come back from the provider. */
export const signInLifeMs = 10 * 60_000;

/** 256 random bits in hexadecimal: the form of a state and of a browser's cookie. */
const valueForm = /^[0-9a-f]{64}$/;
const longestReturn = 2_000;

/** Generates the state of a sign-in, or the value of the cookie that ties a browser to the sign-ins that it begins. */
function newFlowValue(): string {
  return randomHex(64);
}

function isFlowValue(text: string | null): text is string {
  return text !== null && valueForm.test(text);
}

/**
 * Derives the secrets of a sign-in from its state and the browser's cookie. The provider sees the state, the database digests
 * of both: neither can compute the others [D176].
 */
function flowSecrets(state: string, browserToken: string): FlowSecrets {
  const derive = (purpose: string) =>
    createHmac('sha256', browserToken).update(`${purpose}:${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/**
 * Returns the place in the console that an address names, relative to the console; an empty string if it is elsewhere, so that
 * a link cannot make a sign-in end on another site.
 */
function placeInConsole(text: string, consoleUrl: string): string {
  if (!URL.canParse(text, consoleUrl)) return '';
  const { href } = new URL(text, consoleUrl);
  const place = href.startsWith(consoleUrl) ? href.slice(consoleUrl.length) : '';
  return place.length > longestReturn || /^sign-(?:in|out)\b/.test(place) ? '' : place;
}

/** A sign-in that has begun: where the browser goes, and the value of the cookie with which it comes back. */
interface Departure {
  readonly location: string;
  readonly browserToken: string;
}

/** A sign-in that has succeeded: where the browser goes, and the value of its session's cookie. */
interface Arrival {
  readonly location: string;
  readonly sessionToken: string;
}

interface Callback {
  /** The query as the browser sent it, with the question mark. */
  readonly search: string;
  /** The cookie of the browser; null if it sent none. */
  readonly browserToken: string | null;
  readonly address: string;
  readonly requestId: string;
}

const shownValues = 10;

/** Signs browsers in through an identity provider [internal-128] [D176]. */
export class SingleSignOn {
  readonly config: SingleSignOnConfig;
  readonly #context: Pick<ServiceContext, 'database' | 'clock'>;
  readonly #provider: IdentityProvider;

  constructor(
    config: SingleSignOnConfig,
    context: Pick<ServiceContext, 'database' | 'clock'>,
    options: Omit<IdentityProviderOptions, 'clock'> = {},
  ) {
    this.config = config;
    this.#context = context;
    this.#provider = new IdentityProvider(config, { ...options, clock: context.clock });
  }

  /**
   * Stores a sign-in and returns the provider's page for it. A browser that is signing in in another tab keeps its cookie, so
   * that both can finish.
   *
   * `returnTo`: the address in the console to show afterwards.
   * @throws SignInError if the provider cannot be used
   */
  async begin(returnTo: string, knownBrowser: string | null): Promise<Departure> {
    const browserToken = isFlowValue(knownBrowser) ? knownBrowser : newFlowValue();
    const secrets = flowSecrets(newFlowValue(), browserToken);
    const location = await this.#provider.authorizationUrl(secrets);
    const { database, clock } = this.#context;
    const signIn = {
      stateSha256: sha256(secrets.state),
      browserSha256: sha256(browserToken),
      returnTo: placeInConsole(returnTo, this.config.consoleUrl),
      expiresAt: new Date(clock.now() + signInLifeMs),
    };
    await database.transaction((tx) => insertSignIn(tx, signIn));
    return { location, browserToken };
  }

  /**
   * Finishes the sign-in that a callback belongs to, and begins a session. No connection to the database is held while the
   * provider is asked.
   * @throws SignInError if the sign-in is unknown or over, or the user has no role here
   */
  async finish({ search, browserToken, address, requestId }: Callback): Promise<Arrival> {
    const state = new URLSearchParams(search).get('state');
    const { secrets, returnTo } = await this.#take(state, browserToken);
    const claims = await this.#provider.claimsOf(search, secrets);
    const { rolesClaim, roles, issuer, consoleUrl } = this.config;
    const identity = identityOf(claims, issuer, claims.sub);
    const values = claimValues(claims, rolesClaim);
    const grant = grantOf(roles, values ?? []);
    if (grant === null)
      throw signInRejected(
        noRoleMessage(rolesClaim, values),
        `${identity.actor} has no role by ${rolesClaim}`,
      );
    const sessionToken = await beginSession(this.#context, {
      actor: identity.actor,
      actorName: identity.actorName,
      identity: { issuer, subject: identity.subject },
      ...grant,
      administratorId: null,
      credentialExpiresAt: null,
      address,
      requestId,
    });
    return { location: consoleUrl + returnTo, sessionToken };
  }

  /** Returns the provider's page that ends the user's session there; null if it has none. */
  signOutUrl(): Promise<string | null> {
    return this.#provider.signOutUrl();
  }

  async #take(state: string | null, browserToken: string | null) {
    if (!isFlowValue(browserToken)) throw unknownSignIn('the browser sent no cookie of a sign-in');
    if (!isFlowValue(state)) throw unknownSignIn('the callback has no state');
    const { database, clock } = this.#context;
    const taken = await database.transaction((tx) => takeSignIn(tx, sha256(state), sha256(browserToken)));
    if (taken === null)
      throw unknownSignIn('this browser has no open sign-in with the state of the callback');
    if (taken.expiresAt.getTime() <= clock.now()) throw unknownSignIn('the sign-in has expired');
    return { secrets: flowSecrets(state, browserToken), returnTo: taken.returnTo };
  }
}

function noRoleMessage(claim: string, values: readonly string[] | null): string {
  const start = 'The identity provider knows you, but your account gives no role here.';
  if (values === null) return `${start} It sent no claim “${claim}”.`;
  if (values.length === 0) return `${start} Its claim “${claim}” is empty.`;
  const shown = values.slice(0, shownValues).map((value) => `“${value.slice(0, 100)}”`);
  const more = values.length > shownValues ? ` and ${values.length - shownValues} more` : '';
  return `${start} Its claim “${claim}” has ${shown.join(', ')}${more}, which BRANDPORT_OIDC_ROLES does not map.`;
}
