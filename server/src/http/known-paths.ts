import type { FastifyInstance, FastifyRequest } from 'fastify';

export interface KnownPath {
  readonly pattern: string;
  readonly methods: ReadonlySet<string>;
}

interface OwnPath extends KnownPath {
  readonly segments: readonly string[];
  readonly methods: Set<string>;
}

/**
 * The paths of a listener and their methods. The router knows a path only per method, and a route of each other method on each
 * path would be nine tenths of all routes.
 */
export class KnownPaths {
  readonly #paths = new Map<string, OwnPath>();
  readonly #maxParamLength: number;

  /** @param maxParamLength the router's setting: a longer parameter matches nothing */
  constructor(maxParamLength: number) {
    this.#maxParamLength = maxParamLength;
  }

  collect(app: FastifyInstance): void {
    app.addHook('onRoute', ({ url, method }) => {
      if (url !== '*') for (const each of [method].flat()) this.add(url, each);
    });
  }

  /** @throws Error if two patterns match the same path with the same method, or by parameters alone */
  add(pattern: string, method: string): void {
    const path = this.#paths.get(pattern) ?? { pattern, segments: pattern.split('/'), methods: new Set() };
    for (const other of this.#paths.values())
      if (other !== path && overlap(path, other) && (other.methods.has(method) || !isFixedBy(path, other)))
        throw new Error(`${pattern} and ${other.pattern} match the same path`);
    this.#paths.set(pattern, path);
    path.methods.add(method);
  }

  /** Returns the path that a URL names, with any method. Of several, the one with most fixed segments, and all methods. */
  find(url: string): KnownPath | undefined {
    const segments = decodePath(url)?.split('/');
    if (segments === undefined) return undefined;
    let found: KnownPath | undefined;
    for (const path of this.#paths.values()) {
      if (!this.#matches(path, segments)) continue;
      if (found === undefined) found = path;
      else
        found = {
          pattern: fixedSegments(path.pattern) > fixedSegments(found.pattern) ? path.pattern : found.pattern,
          methods: found.methods.union(path.methods),
        };
    }
    return found;
  }

  #matches({ segments }: OwnPath, given: readonly string[]): boolean {
    if (segments.length !== given.length) return false;
    return segments.every((segment, index) => {
      const value = given[index] as string;
      if (!isParameter(segment)) return value === segment;
      return value !== '' && decodeURIComponent(value).length <= this.#maxParamLength;
    });
  }
}

/** Decodes a path as the router does: everything but reserved characters, which separate nothing when they are encoded. */
function decodePath(url: string): string | undefined {
  const path = url.split(/[?#]/, 1)[0] as string;
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return undefined;
  }
}

function isParameter(segment: string): boolean {
  return segment.startsWith(':');
}

function overlap(one: OwnPath, other: OwnPath): boolean {
  if (one.segments.length !== other.segments.length) return false;
  return one.segments.every((segment, index) => {
    const counterpart = other.segments[index] as string;
    if (segment === counterpart) return true;
    return isParameter(segment) ? counterpart !== '' : isParameter(counterpart) && segment !== '';
  });
}

/** Returns whether one of the patterns has fixed segments where the other has parameters, and nothing the other way round. */
function isFixedBy(one: OwnPath, other: OwnPath): boolean {
  const fixes = (a: OwnPath, b: OwnPath) =>
    a.segments.some((segment, index) => !isParameter(segment) && isParameter(b.segments[index] as string));
  return fixes(one, other) !== fixes(other, one);
}

function fixedSegments(pattern: string): number {
  return pattern.split('/').filter((segment) => !isParameter(segment)).length;
}

const refused = new WeakMap<object, string>();

/** Notes that a request named this path with a method that it does not have. */
export function noteRefusedPath(request: FastifyRequest, { pattern }: KnownPath): void {
  refused.set(request.raw, pattern);
}

/** Returns the path of a request for logs, metrics and traces: as it is registered, never as it was sent. */
export function routeOf(request: FastifyRequest): string {
  return refused.get(request.raw) ?? request.routeOptions.url ?? '(unknown)';
}
