import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCatalogue } from '../../errors/error-catalogue.ts';
import { codesByStatus } from '../docs/error-codes.ts';
import { errorSources } from '../docs/error-sources.ts';
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

/** Returns the table of all codes, as Markdown; links lead to their pages from the page `errors`. */
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
