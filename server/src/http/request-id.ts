import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

// An API key or feed token would be well formed, too, but a secret must not be logged or echoed.
const secret = /tuk_[0-9a-f]{24}\.|cfk_/;

/** Returns the client's X-Request-Id if it is well formed and not a secret, otherwise a new id [platform-68] [D30]. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) && !secret.test(sent) ? sent : randomUUID();
}
