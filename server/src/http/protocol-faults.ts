import type { IncomingMessage, Server } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import { trackExchanges } from './client-connections.ts';

/** More header lines are an attack; 16 KiB have room for 4,000. */
const maxHeaderLines = 256;

/** A second line of one of these would be ambiguous. Node itself refuses a second `Content-Length`. */
const singletons: readonly string[] = ['Host', 'Content-Type'];

// RFC 9110, 7.2: uri-host [ ":" port ]; may be empty.
const authority = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d{0,5})?$/;
const absoluteForm = /^https?:\/\/([^/?#]+)(?:[/?]|$)/i;

/**
 * Finds what makes a request invalid HTTP although Node's parser accepts it [platform-72]; null: nothing. Two readers of the
 * message could disagree on its end or meaning (RFC 9112), so it must not run, and its connection must be closed, because the
 * next request may begin elsewhere.
 */
function findProtocolFault(request: IncomingMessage): ApiError | null {
  const { headers, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return fault(`HTTP/${httpVersion} is not supported. Use HTTP/1.1.`);
  return headerFault(request) ?? framingFault(request) ?? targetFault(request) ?? expectationFault();

  // An expectation in an HTTP/1.0 request is ignored (RFC 9110, 10.1.1).
  function expectationFault(): ApiError | null {
    if (headers.expect === undefined || httpVersion === '1.0') return null;
    const isKnown = headers.expect.split(',').every((part) => part.trim().toLowerCase() === '100-continue');
    if (isKnown) return null;
    return unmetExpectation();
  }
}

/** Returns the 417 for an `Expect` other than `100-continue` [platform-73]. */
export function unmetExpectation(): ApiError {
  return new ApiError('bad_request', {
    status: 417,
    message: 'Expect only supports 100-continue.',
  });
}

function headerFault({ rawHeaders, headers, httpVersion }: IncomingMessage): ApiError | null {
  if (rawHeaders.length / 2 > maxHeaderLines)
    return fault(`The request has more than ${maxHeaderLines} header lines.`);
  for (const name of singletons)
    if (countLines(rawHeaders, name.toLowerCase()) > 1)
      return fault(`The header ${name} occurs more than once.`);
  if (headers.host === undefined) return httpVersion === '1.0' ? null : fault('The header Host is missing.');
  return authority.test(headers.host)
    ? null
    : fault('The header Host is not a host name with an optional port.');
}

function framingFault({ headers, httpVersion }: IncomingMessage): ApiError | null {
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return null;
  if (httpVersion === '1.0') return fault('Transfer-Encoding requires HTTP/1.1.');
  return coding.trim().toLowerCase() === 'chunked' ? null : fault('Transfer-Encoding only supports chunked.');
}

/** Accepts a path, `*` of OPTIONS, or an absolute URL (RFC 9112, 3.2). CONNECT never arrives here. */
function targetFault({ url = '', method }: IncomingMessage): ApiError | null {
  if (url.includes('#')) return fault('The request target has a fragment.');
  if (url.startsWith('/') || (url === '*' && method === 'OPTIONS')) return null;
  const host = absoluteForm.exec(url)?.[1];
  if (host !== undefined && authority.test(host)) return null;
  return fault('The request target is neither a path nor an http URL.');
}

/** Returns the path and query of an absolute-form target, whose host has no effect, and any other target unchanged. */
export function originForm(target: string): string {
  const host = absoluteForm.exec(target)?.[1];
  if (host === undefined || !authority.test(host)) return target;
  const rest = target.slice(target.indexOf('//') + 2 + host.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function countLines(rawHeaders: readonly string[], lowerCaseName: string): number {
  let lines = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === lowerCaseName.length && name.toLowerCase() === lowerCaseName) lines += 1;
  }
  return lines;
}

function fault(message: string): ApiError {
  return new ApiError('bad_request', { message });
}

const awaitingContinue = new WeakSet<IncomingMessage>();

/**
 * Handles what Node's server would answer automatically and without an envelope: an unknown `Expect`, and `100 Continue` before
 * the request is checked. Removes its limit of 1,000 header lines, beyond which it drops lines silently.
 */
export function takeOverProtocolAnswers(server: Server): void {
  trackExchanges(server);
  server.maxHeadersCount = 0;
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('checkContinue', (request, response) => {
    awaitingContinue.add(request);
    // After a final response without 100, the client may or may not send the body: the next request cannot be located.
    response.shouldKeepAlive = false;
    server.emit('request', request, response);
  });
}

/** Refuses requests that violate the protocol, before any other check, after counting them against the address. */
export function addProtocolGuard(app: FastifyInstance, before: BeforeRefusal): void {
  app.addHook('onRequest', (request, reply) => refuseProtocolFault(request, reply, before));
  // The request is admitted and its body will be read, so the client is asked to send it.
  app.addHook('preParsing', (request, reply, _payload, done) => {
    if (awaitingContinue.delete(request.raw)) {
      reply.raw.shouldKeepAlive = true;
      reply.raw.writeContinue();
    }
    done();
  });
}

/** @throws ApiError `bad_request`, or `rate_limited` */
export async function refuseProtocolFault(
  request: FastifyRequest,
  reply: FastifyReply,
  before: BeforeRefusal,
): Promise<void> {
  const { connection = '', upgrade } = request.raw.headers;
  // An upgrade is ignored. Node loses what follows such a request in the same packet, so the connection cannot go on.
  if (upgrade !== undefined && /\bupgrade\b/i.test(connection)) reply.header('connection', 'close');
  const fault = findProtocolFault(request.raw);
  if (fault === null) return;
  reply.header('connection', 'close');
  await before(request, reply);
  throw fault;
}

/** Runs before a request without a route is refused, and may refuse it for another reason, such as an empty bucket. */
export type BeforeRefusal = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
