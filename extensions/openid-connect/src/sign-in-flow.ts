import { createHmac } from 'node:crypto';
import { randomHex } from '../../../server/src/lib/ids.ts';
import type { FlowSecrets } from './identity-provider.ts';

/** A browser has this long to come back from the provider. */
export const signInLifeMs = 10 * 60_000;

/** 256 random bits in hexadecimal: the form of a state and of a browser's cookie. */
const valueForm = /^[0-9a-f]{64}$/;
const longestReturn = 2_000;

/** Generates the state of a sign-in, or the value of the cookie that ties a browser to the sign-ins that it begins. */
export function newFlowValue(): string {
  return randomHex(64);
}

export function isFlowValue(text: string | null): text is string {
  return text !== null && valueForm.test(text);
}

/**
 * Derives the secrets of a sign-in from its state and the browser's cookie. The provider sees the state, the database digests
 * of both: neither can compute the others [D176].
 */
export function flowSecrets(state: string, browserToken: string): FlowSecrets {
  const derive = (purpose: string) =>
    createHmac('sha256', browserToken).update(`${purpose}:${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}

/**
 * Returns the place in the console that an address names, relative to the console; an empty string if it is elsewhere, so that
 * a link cannot make a sign-in end on another site.
 */
export function placeInConsole(text: string, consoleUrl: string): string {
  if (!URL.canParse(text, consoleUrl)) return '';
  const { href } = new URL(text, consoleUrl);
  const place = href.startsWith(consoleUrl) ? href.slice(consoleUrl.length) : '';
  return place.length > longestReturn || /^sign-(?:in|out)\b/.test(place) ? '' : place;
}
