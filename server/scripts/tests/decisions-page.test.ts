import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { indexOf, readDecision } from '../pages.ts';

const file = '0008-nothing-moves-nothing.md';
const text = `# [D8] A PATCH that changes nothing moves nothing

Accepted on 2026-11-21. Subject: writes.

- Context: clients poll.
- Decision: nothing is written.
- Consequence: pollers see real changes only.
`;

describe('a file of a decision', () => {
  it('has an id, a title, a date and a subject', () => {
    assert.deepEqual(readDecision(file, text), {
      file,
      number: 8,
      title: 'A PATCH that changes nothing moves nothing',
      subject: 'writes',
      date: '2026-11-21',
    });
  });

  it('is refused without one of its parts, under another name, or if it is too long', () => {
    const refused = (problem: RegExp, changed: string, name = file) =>
      assert.throws(() => readDecision(name, changed), problem);
    refused(/begins like no other/, text.replace('[D8]', 'D8'));
    refused(/begins like no other/, text.replace('2026-11-21', 'today'));
    refused(/begins like no other/, text.replace('Context', 'Background'));
    refused(/subject "weather"/, text.replace('writes', 'weather'));
    refused(/no "- Decision:"/, text.replace('Decision', 'Idea'));
    refused(/no "- Consequence:"/, text.replace('Consequence', 'Result'));
    refused(/not named 8/, text, '0009-nothing-moves-nothing.md');
    refused(/16 of 15 lines/, `${text}${'  more\n'.repeat(9)}`);
    refused(/line 8 is longer/, `${text}  ${'long '.repeat(30)}\n`);
  });
});

describe('the index of decisions', () => {
  it('links each one under its subject', () => {
    const page = indexOf([readDecision(file, text)]);
    const row = '| D8 | [A PATCH that changes nothing moves nothing](0008-nothing-moves-nothing.md) |';
    assert.ok(page.split('\n## Catalog')[0]?.split('\n## Writes')[1]?.includes(row), page);
  });
});
