import type { DescribedOperation } from '../../api/operation.ts';
import type { ErrorCode } from '../../errors/error-catalogue.ts';
import { clientDomains } from '../client-domains.ts';
import { internalGroups } from '../internal-operations.ts';
import type { Listener } from '../metrics.ts';
import { errorCodesOf, generalCodes } from './error-codes.ts';

interface Surface {
  readonly listener: Listener;
  readonly name: string;
  readonly operations: readonly { readonly title: string; readonly operation: DescribedOperation }[];
}

const surfaces: readonly Surface[] = [
  {
    listener: 'client',
    name: 'client API',
    operations: clientDomains.flatMap(({ prefix, operations }) => titled(prefix, operations)),
  },
  {
    listener: 'internal',
    name: 'internal surface',
    operations: internalGroups.flatMap(({ prefix, operations }) => titled(prefix, operations)),
  },
];

function titled(prefix: string, operations: readonly DescribedOperation[]): Surface['operations'] {
  return operations.map((operation) => ({
    title: `${operation.method} ${(prefix + operation.path).replaceAll(/:(\w+)/g, '{$1}')}`,
    operation,
  }));
}

/**
 * Returns the sources of an error code as lines of a Markdown list; empty if no operation of this version returns it. The
 * client listener names its operations only; each listener links those of its own reference.
 */
export function errorSources(code: ErrorCode, reader: Listener): string[] {
  const general = generalCodes[code];
  return [
    ...(general === undefined ? [] : [`- ${general}`]),
    ...surfaces
      .filter(({ listener }) => reader === 'internal' || listener === 'client')
      .flatMap((surface) => on(surface, code, surface.listener === reader)),
  ];
}

function on({ name, operations }: Surface, code: ErrorCode, isLinked: boolean): string[] {
  const shown = ({ title, operation }: Surface['operations'][number]) =>
    isLinked ? `[\`${title}\`](/docs/#${operation.id})` : `\`${title}\``;
  const answering = operations.filter(({ operation }) => errorCodesOf(operation).includes(code));
  if (answering.length === 0) return [];
  if (answering.length === operations.length) return [`- Every operation of the ${name}.`];
  // A long list is replaced by the shorter list of exceptions.
  const others = operations.filter((entry) => !answering.includes(entry));
  if (others.length <= 3 && answering.length > others.length)
    return [`- Every operation of the ${name} but ${others.map(shown).join(', ')}.`];
  return answering.map((entry) => `- ${shown(entry)}`);
}
