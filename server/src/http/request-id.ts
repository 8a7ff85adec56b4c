import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

// An API key or feed token is well formed as well; the id is logged and echoed, and a secret must be neither.
const secret = /tuk_[0-9a-f]{24}\.|cfk_/;

/** The client's own X-Request-Id where it is well formed and no secret, else a new one [platform-68] [D30]. */
export function requestIdOf(request: IncomingMessage): string {
  const sent = request.headers['x-request-id'];
  return typeof sent === 'string' && acceptable.test(sent) && !secret.test(sent) ? sent : randomUUID();
}
