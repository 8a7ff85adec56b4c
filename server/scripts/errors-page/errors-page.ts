import { STATUS_CODES } from 'node:http';
import { type ErrorCode, errorCatalogue } from '../../src/errors/error-catalogue.ts';
import { codesByStatus } from '../../src/http/docs/error-codes.ts';
import { answeredBy } from './answered-by.ts';

const introduction = `# Errors

<!-- Made from server/src/errors/error-catalogue.ts by \`npm run generate\`. Change it there. -->

Every failure, on the client API and on the internal surface, has one form:

\`\`\`json
{
  "code": "validation_failed",
  "message": "The request is not valid.",
  "errors": { "axes.0.code": ["is required"] }
}
\`\`\`

- \`code\` is stable and is what a program branches on. New codes may be added; treat one that you do not know by its
  HTTP status.
- \`message\` is for people. It may change at any time.
- \`errors\` comes with \`validation_failed\` only: the messages by field, at most 100 fields. A field inside of another is a
  dotted path with indexes. \`body\`, \`query\` and \`idempotency_key\` stand for the whole body, the whole query and the header.
- Further keys come with some codes and are described there.

Every response carries \`X-Request-Id\`: your own, where you sent one of 1 to 128 characters of \`A-Z a-z 0-9 . _ -\`, or a new
one. It finds the request in the server's log.

**When is a retry safe?** GET and HEAD change nothing and may always be sent again. A write that answered with a status
from 400 to 499 changed nothing. A write that answered 500 or 503, or was not answered at all (a timeout, a lost
connection), may have happened: send it again with the same \`Idempotency-Key\`, and it happens once. Each code below
says whether the same request, sent again, can end otherwise.
`;

/** \`docs/errors.md\`: a section for each code of the catalogue, by status. */
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
  const answers = answeredBy(code);
  return [
    `### ${code}`,
    `**Cause.** ${cause}`,
    `**Fix.** ${fix}`,
    `**Retry.** ${retry}`,
    ...(answers.length === 0
      ? ['No operation of this version answers it.']
      : [`**Answered by**\n\n${answers.join('\n')}`]),
  ].join('\n\n');
}
