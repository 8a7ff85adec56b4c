import type { Config } from '../../config.ts';

/** A shorter password would be found in every other word. */
const minLength = 6;
const hidden = '[secret]';
/** The secret part of an API key, and a feed token. */
const issued = /(\btuk_[0-9a-f]{24}\.)\w+|\bcfk_\w+/g;

/** Returns a function that replaces all secrets of the settings, and everything that looks like a key, in a string. */
export function secretHider(config: Config): (text: string) => string {
  const { adminTokens, cursorSecrets, singleSignOn, alerts } = config;
  const urls = [
    config.databaseUrl,
    config.analyticsUrl,
    config.engineUrl,
    config.redisUrl,
    config.traces?.url,
  ];
  const secrets = [
    ...[...adminTokens, ...cursorSecrets, singleSignOn?.clientSecret ?? ''],
    ...[alerts?.url ?? '', ...(alerts?.secrets ?? [])],
    ...urls.flatMap((url) => passwordsOf(url ?? '')),
  ].filter((secret) => secret.length >= minLength);
  // The longest first: one may be a part of another.
  secrets.sort((a, b) => b.length - a.length);
  return (text) =>
    secrets
      .reduce((left, secret) => left.replaceAll(secret, hidden), text)
      .replace(issued, (_, keyId: string | undefined) => `${keyId ?? ''}${hidden}`);
}

/** The passwords of a URL, in its user part or its parameters, as they are written and decoded. */
function passwordsOf(url: string): string[] {
  const inUser = /^[a-z][a-z+.-]*:\/\/[^:@]*:(.*)@/is.exec(url)?.[1];
  const inParameters = [...url.matchAll(/[?&][^=&]*(?:pass|token|secret|key)[^=&]*=([^&#]+)/gi)].map(
    ([, value]) => value,
  );
  return [inUser, ...inParameters].flatMap((text) => (text === undefined ? [] : [text, decoded(text)]));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
