import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorCatalogue } from '../../../src/errors/error-catalogue.ts';
import { errorsPage } from '../errors-page.ts';

const page = errorsPage();
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

describe('the page of errors', () => {
  it('has a section for each code, under its status, with cause, fix and whether a retry is safe', () => {
    assert.deepEqual([...sections.keys()].sort(), Object.keys(errorCatalogue).sort());
    for (const [code, { status, cause, fix, retry }] of Object.entries(errorCatalogue)) {
      const section = sections.get(code) ?? '';
      for (const text of [`**Cause.** ${cause}`, `**Fix.** ${fix}`, `**Retry.** ${retry}`])
        assert.ok(section.includes(text), `${code}: ${text}`);
      const heading = page
        .slice(0, page.indexOf(`### ${code}\n`))
        .match(/^## (\d+) \S/gm)
        ?.at(-1);
      assert.match(heading ?? '', new RegExp(`^## ${status} `), code);
    }
  });

  it('links from its table to every section, statuses ascending', () => {
    const rows = [...page.matchAll(/^\| (\d+) \| \[`(\w+)`\]\(#(\w+)\) \|/gm)];
    assert.deepEqual(
      rows.map(([, , code]) => code),
      [...sections.keys()],
    );
    for (const [, , code, anchor] of rows) assert.equal(anchor, code);
    const statuses = rows.map(([, status]) => Number(status));
    assert.deepEqual(
      statuses,
      statuses.toSorted((a, b) => a - b),
    );
  });

  it('lists the sources of a code: all operations, all with exceptions, or some', () => {
    assert.match(sections.get('unauthenticated') ?? '', /- Every operation of the client API\.\n/);
    assert.match(
      sections.get('insufficient_scope') ?? '',
      /but `GET \/v1\/client\/catalog\/status`[^\n]+`GET \/v1\/client\/analytics\/status`\.\n/,
    );
    assert.match(
      sections.get('duplicate_sku') ?? '',
      /- `PATCH \/v1\/client\/catalog\/products\/\{tuId\}`\n/,
    );
    assert.match(sections.get('conflict') ?? '', /- `POST \/internal\/v1\/keys\/\{key_id\}\/rotate`\n/);
    for (const [code, section] of sections)
      assert.match(section, /\*\*Returned by\*\*|No operation of this version returns it\./, code);
  });
});
