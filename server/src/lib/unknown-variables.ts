import { spellingDistance } from './spelling-distance.ts';

const prefix = 'BRANDPORT_';
/** A name this near to a known one is a misspelling; a short name has to be nearer. */
const misspeltWithin = 3;
/** Kubernetes sets these in every container of a namespace that has a service named `brandport`. */
const ofKubernetes = /^BRANDPORT_(SERVICE_|PORT$|PORT_)/;
/** The variables of the command line and the SDK: a shell that starts a server may have them, and they mean nothing to it. */
export const ofClients: readonly string[] = [
  'BRANDPORT_URL',
  'BRANDPORT_API_KEY',
  'BRANDPORT_INTERNAL_URL',
  'BRANDPORT_PROFILE',
  'BRANDPORT_SANDBOX',
];

export interface UnknownVariable {
  readonly name: string;
  /** The known name that was probably meant; null if none is near. */
  readonly nearest: string | null;
}

/** Lists the variables that begin like Brandport's and are not known. */
export function listUnknownVariables(names: readonly string[], known: readonly string[]): UnknownVariable[] {
  return names
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .filter((name) => !ofKubernetes.test(name) && !ofClients.includes(name))
    .sort()
    .map((name) => ({ name, nearest: nearestOf(name, known) }));
}

function nearestOf(name: string, known: readonly string[]): string | null {
  const withoutPrefix = name.slice(prefix.length);
  if (known.includes(withoutPrefix)) return withoutPrefix;
  const [nearest] = known
    .map((other) => ({ other, distance: spellingDistance(name, other) }))
    .sort((a, b) => a.distance - b.distance);
  const within = Math.min(misspeltWithin, withoutPrefix.length / 3);
  return nearest !== undefined && nearest.distance <= within ? nearest.other : null;
}
