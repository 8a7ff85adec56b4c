import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCatalogue } from '../../src/errors/error-catalogue.ts';
import { codesByStatus } from '../../src/http/docs/error-codes.ts';
import { errorSources } from '../../src/http/docs/error-sources.ts';

const introduction = `# Errors

<!-- Generated from server/src/errors/error-catalogue.ts by \`npm run generate\`. Change it there. -->

Every error of the client API and the internal surface has the same form:

\`\`\`json
{
  "code": "validation_failed",
  "message": "The request is not valid.",
  "errors": { "axes.0.code": ["is required"] },
  "doc_url": "/docs/guides/errors/validation_failed"
}
\`\`\`

- \`code\` is stable: branch on it. New codes may be added; handle an unknown code by its HTTP status.
- \`message\` is for humans and may change at any time.
- \`errors\` is present only with \`validation_failed\`: the messages by field, at most 100 fields. A nested field is a dotted path
  with indexes. \`body\`, \`query\` and \`idempotency_key\` mean the whole body, the whole query and the header.
- \`doc_url\` is the path of the page about the code. Behind a proxy that adds a prefix to all paths it begins with that prefix.
- Some codes have additional keys, which are described with the code.

Every response has an \`X-Request-Id\`: your own (1 to 128 characters of \`A-Z a-z 0-9 . _ -\`) or a generated one. It identifies
the request in the server's log.

**When is a retry safe?** GET and HEAD change nothing and can always be retried. A write that returned a 4xx
status changed nothing. A write that returned 500 or 503, or got no response (a timeout, a lost connection), may have been
performed: send it again with the same \`Idempotency-Key\`, and it is performed once. Each code below says whether a retry of
the same request can succeed.
`;

/** Returns the text of `docs/errors.md`: a section per code of the catalogue, by status. */
export function errorsPage(): string {
  const byStatus = codesByStatus(Object.keys(errorCatalogue) as ErrorCode[]);
  const contents = [...byStatus].flatMap(([status, codes]) =>
    codes.map((code) => `| ${status} | [\`${code}\`](#${code}) | ${errorCatalogue[code].message} |`),
  );
  const sections = [...byStatus].flatMap(([status, codes]) => [
    `## ${status} ${STATUS_CODES[status]}`,
    ...codes.map(section),
  ]);
  const table = ['| HTTP | code | message |', '|---|---|---|', ...contents].join('\n');
  return `${[introduction.trimEnd(), table, ...sections].join('\n\n')}\n`;
}

function section(code: ErrorCode): string {
  const { cause, fix, retry } = errorCatalogue[code];
  const answers = errorSources(code, { listeners: ['client', 'internal'] });
  return [
    `### ${code}`,
    `**Cause.** ${cause}`,
    `**Fix.** ${fix}`,
    `**Retry.** ${retry}`,
    ...(answers.length === 0
      ? ['No operation of this version returns it.']
      : [`**Returned by**\n\n${answers.join('\n')}`]),
  ].join('\n\n');
}
