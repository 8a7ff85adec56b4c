import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { grantOf, parseRoleRules, type RoleRule } from '../single-sign-on.ts';

const rulesOf = (text: string) => {
  const rules = parseRoleRules(text);
  if ('problem' in rules) throw new Error(rules.problem);
  return rules;
};

// [internal-131] [D177]
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
