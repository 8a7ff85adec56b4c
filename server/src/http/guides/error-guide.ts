import { STATUS_CODES } from 'node:http';
import type { DescribedOperation } from '../../api/operation.ts';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';
import { clientDomains } from '../client-domains.ts';
import { codesByStatus, errorCodesOf, generalCodes } from '../docs/error-codes.ts';
import { internalGroups } from '../internal-operations.ts';
import type { Listener } from '../metrics.ts';

/** All codes, in the order of the list of errors. */
export const listedCodes: readonly ErrorCode[] = [
  ...codesByStatus(Object.keys(errorCatalogue) as ErrorCode[]).values(),
].flat();

/**
 * Returns the page about a code: what the catalogue says of it, then `written`, the hand-written page without its title,
 * then the operations of the listener that return it.
 */
export function errorGuide(code: ErrorCode, written: string, listener: Listener): string {
  const { status, message, cause, fix, retry } = errorCatalogue[code];
  const sources = errorSources(code, listener);
  const from = sources.length === 0 ? ['No operation of this version returns it.'] : sources;
  return `${[
    `# \`${code}\``,
    `**${status} ${STATUS_CODES[status]}.** ${message}`,
    `**Cause.** ${cause}`,
    `**Fix.** ${fix}`,
    `**Retry.** ${retry}`,
    ...withoutTitle(written),
    '## Returned by',
    from.join('\n'),
  ].join('\n\n')}\n`;
}

export function errorTable(): string {
  const rows = listedCodes.map((code) => {
    const { status, message } = errorCatalogue[code];
    return `| ${status} | [\`${code}\`](errors/${code}.md) | ${message} |`;
  });
  return ['| HTTP | code | message |', '|---|---|---|', ...rows].join('\n');
}

function withoutTitle(written: string): string[] {
  const rest = written.replace(/^# .*\n/, '').trim();
  return rest === '' ? [] : [rest];
}

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

/** Returns the operations that return a code, as a Markdown list; the client listener names its own only. */
function errorSources(code: ErrorCode, reader: Listener): string[] {
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
