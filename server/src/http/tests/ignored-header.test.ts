import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/support/any-text.ts';
import { unknownName } from '../../api/unknown-names.ts';
import { ignoredHeader } from '../unknown-name-hooks.ts';

const named = (...paths: string[]) => paths.map((path) => unknownName([path], path, []));

describe('the header of ignored names', () => {
  it('lists those of the body, then those of the query', () => {
    assert.equal(
      ignoredHeader(named('location_code', 'lines.0.qty'), named('updatedSince')),
      'body.location_code, body.lines.0.qty, query.updatedSince',
    );
  });

  // [platform-26]
  it('has at most 20 names, and cuts each at 64 characters', () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'x'.repeat(80)}${index}`);
    const listed = ignoredHeader(named(...names), named('q')).split(', ');
    assert.equal(listed.length, 20);
    assert.ok(listed.every((name) => name === `body.${'x'.repeat(64)}`));
  });

  // [platform-26]
  it('encodes characters that would be ambiguous in the list, or that a header cannot carry', () => {
    assert.equal(
      ignoredHeader(named('a, b', '50%', 'größe', '\r\nX: y', '\u0000', '', '\ud800'), []),
      'body.a%2C%20b, body.50%25, body.gr%C3%B6%C3%9Fe, body.%0D%0AX:%20y, body.%00, body., body.%EF%BF%BD',
    );
  });

  it('gives every name back, up to the cut, and is visible ASCII', () => {
    const text = anyText({ maxLength: 40 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 25 }), text, (body, query) => {
        const header = ignoredHeader(named(...body), named(query));
        assert.match(header, /^[ -~]*$/);
        const names = [...body.map((name) => `body.${name}`), `query.${query}`].slice(0, 20);
        assert.equal(header.split(', ').length, names.length);
        for (const [index, shown] of header.split(', ').entries()) {
          const decoded = decodeURIComponent(shown);
          assert.ok((names[index] as string).startsWith(decoded));
          if (shown.length < 50) assert.equal(decoded, names[index]);
        }
      }),
    );
  });
});
