import type { AnyOperation } from '../../src/api/operation.ts';
import type { ErrorCode } from '../../src/errors/error-catalogue.ts';
import { clientDomains } from '../../src/http/docs/client-document.ts';
import { errorCodesOf, generalCodes } from '../../src/http/docs/error-codes.ts';
import { internalOperations } from '../../src/http/internal-operations.ts';

interface Surface {
  readonly name: string;
  readonly operations: readonly { readonly title: string; readonly operation: AnyOperation }[];
}

const surfaces: readonly Surface[] = [
  {
    name: 'client API',
    operations: clientDomains.flatMap(({ prefix, operations }) => titled(prefix, operations)),
  },
  { name: 'internal surface', operations: titled('/internal/v1', internalOperations) },
];

function titled(prefix: string, operations: readonly AnyOperation[]): Surface['operations'] {
  return operations.map((operation) => ({
    title: `${operation.method} ${(prefix + operation.path).replaceAll(/:(\w+)/g, '{$1}')}`,
    operation,
  }));
}

/**
 * Returns the sources of an error code as lines of a Markdown list; empty if no operation of this version
 * returns it.
 */
export function answeredBy(code: ErrorCode): string[] {
  const general = generalCodes[code];
  return [
    ...(general === undefined ? [] : [`- ${general}`]),
    ...surfaces.flatMap((surface) => on(surface, code)),
  ];
}

function on({ name, operations }: Surface, code: ErrorCode): string[] {
  const answering = operations.filter(({ operation }) => errorCodesOf(operation).includes(code));
  if (answering.length === 0) return [];
  if (answering.length === operations.length) return [`- Every operation of the ${name}.`];
  // A long list is replaced by the shorter list of exceptions.
  const others = operations.filter((entry) => !answering.includes(entry));
  if (others.length <= 3 && answering.length > others.length)
    return [`- Every operation of the ${name} but ${others.map(({ title }) => `\`${title}\``).join(', ')}.`];
  return answering.map(({ title }) => `- \`${title}\``);
}
