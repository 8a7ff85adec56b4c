import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadConfig } from '../../../config.ts';
import { problemsOf } from '../../../tests/problems-of.ts';
import { grantOf, parseRoleRules, type RoleRule } from '../single-sign-on.ts';

const rulesOf = (text: string) => {
  const rules = parseRoleRules(text);
  if ('problem' in rules) throw new Error(rules.problem);
  return rules;
};

// [internal-131] [D176]
describe('rules that give roles', () => {
  it('are read from a list, in which values may have commas, colons, spaces and equals signs', () => {
    const text =
      ' administrator = admins ; operator:2,1, 2=CN=Ops,OU=support,DC=x: one;support=7f1c;\n support:3 =héllo w;';
    assert.deepEqual(rulesOf(text), [
      { value: 'admins', role: 'administrator', brandIds: null },
      { value: 'CN=Ops,OU=support,DC=x: one', role: 'operator', brandIds: [1, 2] },
      { value: '7f1c', role: 'support', brandIds: null },
      { value: 'héllo w', role: 'support', brandIds: [3] },
    ] satisfies RoleRule[]);
  });

  it('are refused with a sentence that shows the entry', () => {
    for (const [text, sentence] of [
      ['', /^must have an entry such as administrator=<value>, operator:1,2=<value> or support=<value>\.$/],
      [' ; ', /^must have an entry/],
      ['admins', /^has the entry "admins", which is not administrator=<value>, /],
      ['support=', /^has the entry "support=", which is not/],
      ['admins=administrator', /which is not administrator=<value>/],
      ['Administrator=a', /which is not/],
      ['support:1:2=a', /which is not/],
      ['operator:shop=a', /which is not/],
      [
        'support=a, support=b',
        /^has the entry .*, which is more than one entry; separate entries by semicolons\.$/,
      ],
      ['support=a operator:1,2=b', /which is more than one entry/],
      ['support=a\nadministrator=b', /which is more than one entry/],
      ['operator=ops', /^has the entry "operator=ops", but an operator needs brands: operator:1,2=ops\.$/],
      ['administrator:1=a', /but an administrator always has all brands\.$/],
      ['operator:=a', /whose brands are not ids such as 1,2\.$/],
      ['operator:1,=a', /whose brands are not ids/],
      ['operator:0=a', /whose brands are not ids/],
      ['operator:2147483648=a', /whose brands are not ids/],
      ['operator:1 2=a', /whose brands are not ids/],
      ['support=a; support:1=a', /^names "a" twice/],
    ] as const) {
      const rules = parseRoleRules(text);
      assert.ok('problem' in rules, text);
      assert.match(rules.problem, sentence);
    }
  });

  it('give the highest role of the values, with the brands of all values that give it', () => {
    const rules = rulesOf(
      'administrator=a; operator:1=o1; operator:3,1=o2; support=s; support:9=s1; support:8=s2',
    );
    const granted = (...values: string[]) => grantOf(rules, values);
    assert.equal(granted(), null);
    assert.equal(granted('A', 'x', ''), null);
    assert.deepEqual(granted('s', 'o1', 'a'), { role: 'administrator', brandIds: null });
    assert.deepEqual(granted('o2', 's', 'o1'), { role: 'operator', brandIds: [1, 3] });
    assert.deepEqual(granted('s1', 's2'), { role: 'support', brandIds: [8, 9] });
    assert.deepEqual(granted('s1', 's'), { role: 'support', brandIds: null });
  });
});

const complete = {
  BRANDPORT_OIDC_ISSUER: 'https://login.example/realms/staff',
  BRANDPORT_OIDC_CLIENT_ID: 'brandport',
  BRANDPORT_OIDC_CLIENT_SECRET: 'a secret of the test',
  BRANDPORT_OIDC_ROLES: 'administrator=admins; operator:1=shop',
  BRANDPORT_CONSOLE_URL: 'https://brandport.example/console',
};

// [internal-132] [D176]
describe('the settings of single sign-on', () => {
  it('have defaults for the claim and the scopes', () => {
    const { singleSignOn } = loadConfig(complete, '/srv');
    assert.deepEqual(singleSignOn, {
      issuer: 'https://login.example/realms/staff',
      clientId: 'brandport',
      clientSecret: 'a secret of the test',
      consoleUrl: 'https://brandport.example/console/',
      scopes: 'openid profile email',
      rolesClaim: 'roles',
      roles: [
        { value: 'admins', role: 'administrator', brandIds: null },
        { value: 'shop', role: 'operator', brandIds: [1] },
      ],
    });
    assert.ok(Object.isFrozen(singleSignOn?.roles[1]?.brandIds));
    const more = { BRANDPORT_OIDC_SCOPES: 'openid groups', BRANDPORT_OIDC_ROLES_CLAIM: 'groups' };
    const other = loadConfig({ ...complete, ...more }, '/srv').singleSignOn;
    assert.deepEqual([other?.scopes, other?.rolesClaim], ['openid groups', 'groups']);
  });

  it('are off while none is set, and complete or refused otherwise', () => {
    assert.equal(loadConfig({}, '/srv').singleSignOn, null);
    const { BRANDPORT_CONSOLE_URL } = complete;
    assert.equal(loadConfig({ BRANDPORT_CONSOLE_URL }, '/srv').singleSignOn, null);
    for (const name of Object.keys(complete)) {
      const { [name as keyof typeof complete]: _left, ...rest } = complete;
      assert.deepEqual(problemsOf({ ...rest, [name]: '' }), [`${name} must be set for single sign-on.`]);
    }
    assert.equal(loadConfig({ BRANDPORT_OIDC_ROLES_CLAIM: 'groups' }, '/srv').singleSignOn, null);
    assert.equal(problemsOf({ BRANDPORT_OIDC_CLIENT_ID: 'brandport' }).length, 4);
  });

  it('name what is wrong, and never the secret', () => {
    for (const [name, value, sentence] of [
      ['BRANDPORT_OIDC_ISSUER', 'login.example', /^BRANDPORT_OIDC_ISSUER must be an address such as https:/],
      ['BRANDPORT_OIDC_ISSUER', 'http://login.example', /must start with https:\/\/, except on this machine/],
      [
        'BRANDPORT_OIDC_ISSUER',
        'https://a.example/.well-known/openid-configuration',
        /must be the issuer alone/,
      ],
      ['BRANDPORT_OIDC_ISSUER', 'https://u:p@a.example', /must be an address/],
      ['BRANDPORT_OIDC_ISSUER', 'https://a.example/?x=1', /must be an address/],
      [
        'BRANDPORT_OIDC_ROLES',
        'boss=admins',
        /^BRANDPORT_OIDC_ROLES has the entry "boss=admins", which is not/,
      ],
      ['BRANDPORT_OIDC_SCOPES', 'profile email', /^BRANDPORT_OIDC_SCOPES must contain openid/],
      ['BRANDPORT_CONSOLE_URL', 'https://a.example/', /^BRANDPORT_CONSOLE_URL must be an address such as/],
      ['BRANDPORT_CONSOLE_URL', 'ftp://a.example/console/', /must be an address such as/],
      ['BRANDPORT_CONSOLE_URL', 'https://a.example/console/#x', /must be an address such as/],
      [
        'BRANDPORT_CONSOLE_URL',
        'http://a.example/console/',
        /must start with https:\/\/, except on localhost/,
      ],
    ] as const) {
      const problems = problemsOf({ ...complete, [name]: value });
      assert.equal(problems.length, 1, value);
      assert.match(problems[0] as string, sentence);
      assert.ok(!problems.join().includes(complete.BRANDPORT_OIDC_CLIENT_SECRET));
    }
    assert.match(
      problemsOf({ ...complete, BRANDPORT_OIDC_ROLE: 'x' }).join(),
      /^BRANDPORT_OIDC_ROLE must be spelt BRANDPORT_OIDC_ROLES:/,
    );
  });

  it('allow plain http on this machine, for the console elsewhere too if the operator accepts it', () => {
    for (const host of ['127.0.0.1:8081', 'localhost', '[::1]:8081', 'a.localhost'])
      assert.deepEqual(
        problemsOf({
          ...complete,
          BRANDPORT_OIDC_ISSUER: `http://${host}`,
          BRANDPORT_CONSOLE_URL: `http://${host}/x/console/`,
        }),
        [],
      );
    const lan = { ...complete, BRANDPORT_CONSOLE_URL: 'http://brandport.lan/console/' };
    assert.deepEqual(problemsOf({ ...lan, BRANDPORT_CONSOLE_INSECURE: '1' }), []);
  });
});
