import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimValues, identityOf } from '../src/identity-provider.ts';

const issuer = 'https://login.example/realms/staff';

// [internal-130]
describe('the name of a user', () => {
  const actorOf = (claims: object) => identityOf({ ...claims }, issuer, 'f3-subject').actor;
  const from = '(login.example/realms/staff)';

  it('is the email address, else the user name, else the subject, with the issuer', () => {
    assert.equal(actorOf({ email: 'a@b.example', preferred_username: 'ada' }), `a@b.example ${from}`);
    assert.equal(actorOf({ email: 'a@b.example', email_verified: false }), `f3-subject ${from}`);
    assert.equal(actorOf({ preferred_username: ' ada ' }), `ada ${from}`);
    assert.equal(actorOf({}), `f3-subject ${from}`);
  });

  it('is never that of an administrator or of the admin token', () => {
    for (const name of ['admin-token', 'brandport', 'bpa_0123456789abcdef01234567'])
      assert.equal(actorOf({ preferred_username: name }), `${name} ${from}`);
  });

  it('has no characters that disturb a list, and an end', () => {
    for (const name of [
      '',
      ' ',
      'a\nb',
      '\u0000',
      'a\u202eb',
      '\u2066x',
      'a\u2028b',
      '\ud800',
      'x'.repeat(256),
      7,
      null,
      ['a'],
    ])
      assert.equal(actorOf({ email: name, preferred_username: name }), `f3-subject ${from}`, String(name));
    assert.equal(actorOf({ preferred_username: 'Zoë 😀 O’Hara' }), `Zoë 😀 O’Hara ${from}`);
    assert.equal(identityOf({ name: 'a\u0007' }, issuer, 's').actorName, null);
  });
});

// [internal-131]
describe('the values of a claim', () => {
  it('are the strings of a list, or one string', () => {
    const claims = {
      list: ['a', 7, 'b', null, {}],
      text: 'a b',
      none: [],
      number: 1,
      yes: true,
      nothing: null,
    };
    for (const [name, values] of [
      ['list', ['a', 'b']],
      ['text', ['a b']],
      ['none', []],
      ['number', []],
      ['yes', []],
      ['nothing', null],
      ['absent', null],
      ['toString', null],
      ['__proto__', null],
    ] as const)
      assert.deepEqual(claimValues(claims, name), values, name);
  });

  it('are found by the exact name first, then by a path', () => {
    const nested = {
      'https://a.example/roles': ['exact'],
      realm_access: { roles: ['nested'] },
      'x.y': 'dotted',
      x: { y: 'path' },
    };
    assert.deepEqual(claimValues(nested, 'https://a.example/roles'), ['exact']);
    assert.deepEqual(claimValues(nested, 'realm_access.roles'), ['nested']);
    assert.deepEqual(claimValues(nested, 'x.y'), ['dotted']);
    assert.equal(claimValues(nested, 'realm_access.roles.more'), null);
    assert.equal(claimValues(nested, 'realm_access.constructor'), null);
  });
});
