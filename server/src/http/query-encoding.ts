import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';

/**
 * Refuses queries that are not UTF-8, percent-encoded, at their parameters [platform-95]: the parser would take what it cannot
 * decode as text, so that a filter finds nothing. Runs after admission, like other checks of a query.
 */
export function addQueryEncodingCheck(app: FastifyInstance): void {
  app.addHook('preValidation', (request, _reply, done) => {
    const names = undecodableParameters(request.url);
    if (names.length === 0) return done();
    const errors = Object.fromEntries(names.map((name) => [name, ['must be UTF-8, percent-encoded']]));
    done(new ApiError('validation_failed', { errors }));
  });
}

/** An escape of a byte beyond ASCII. Such a byte itself is refused before a path is looked at. */
const suspicious = /%[89a-f]/i;
const maxNames = 100;

/** Returns the names of the parameters of a URL whose name or value is not UTF-8, percent-encoded; as sent if it is the name. */
export function undecodableParameters(url: string): string[] {
  const at = url.indexOf('?');
  if (at < 0 || !suspicious.test(url)) return [];
  const names = new Set<string>();
  for (const pair of url.slice(at + 1).split('&')) {
    if (!suspicious.test(pair) || isDecodable(pair)) continue;
    const name = pair.split('=', 1)[0] as string;
    names.add(decoded(name));
    if (names.size === maxNames) break;
  }
  return [...names];
}

/** A `%` that begins no escape is text. */
function isDecodable(text: string): boolean {
  try {
    for (const [escapes] of text.matchAll(/(?:%[0-9a-f]{2})+/gi)) decodeURIComponent(escapes);
    return true;
  } catch {
    return false;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
