import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Command } from 'commander';
import { markIds, unmarkIds } from '../arguments.ts';

const id = '-OPFFIoKYKB70YwajoHSj';

function parse(args: readonly string[]): { ids: unknown; options: unknown } {
  let received: { ids: unknown; options: unknown } = { ids: null, options: null };
  const program = new Command().exitOverride().configureOutput({ writeErr: () => {} });
  program
    .command('show <ids...>')
    .option('--product <id>')
    .option('-y, --yes')
    .action((ids, options) => {
      received = { ids, options };
    });
  unmarkIds(program);
  program.parse(markIds(args), { from: 'user' });
  return received;
}

it('an id that begins with a dash is an argument, and the value of an option, in its place', () => {
  assert.deepEqual(parse(['show', 'a', id, 'b', '--product', id, '-y']), {
    ids: ['a', id, 'b'],
    options: { product: id, yes: true },
  });
});

it('anything else that begins with a dash is an option', () => {
  assert.throws(() => parse(['show', '-OPFFIoKYK']), /unknown option/);
  assert.throws(() => parse(['show', '--a-long-option-of-21']), /unknown option/);
});
