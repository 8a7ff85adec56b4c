// processes: sources the completion script in bash
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { cli } from './cli-service.ts';

const dir = mkdtempSync(join(tmpdir(), 'brandport-completion-'));
after(() => rmSync(dir, { recursive: true, force: true }));
writeFileSync(join(dir, 'script'), (await cli(['completion', 'bash'])).stdout);
// The program that the script asks for the names of profiles.
writeFileSync(
  join(dir, 'brandport'),
  '#!/bin/sh\n[ "$*" = "profiles --quiet" ] && printf "shop\\nstage\\n"\n',
  { mode: 0o755 },
);

/** Returns the words that bash offers after a line; its last word is being typed. */
function complete(...words: readonly string[]): readonly string[] {
  const script = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _brandport; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', script, 'bash', join(dir, 'script'), 'brandport', ...words];
  const env = { PATH: `${dir}:${process.env['PATH']}` };
  return execFileSync('bash', args, { encoding: 'utf8', env })
    .split('\n')
    .filter((word) => word !== '');
}

describe('completion in bash [D144]', () => {
  it('is registered for the command, and completes the names of files without a match', () => {
    const args = ['--norc', '-c', 'source "$1"; complete -p brandport', 'bash', join(dir, 'script')];
    const registered = execFileSync('bash', args, { encoding: 'utf8' });
    assert.equal(registered, 'complete -o default -F _brandport brandport\n');
  });

  for (const [words, expected] of [
    [['han'], []],
    [['sto'], ['stock']],
    [
      ['keys', 'r'],
      ['rotate', 'revoke'],
    ],
    [['--json', 'keys', 'hand'], ['handover']],
    [['--profile', 'st'], ['stage']],
    [['keys', 'list', '--st'], ['--state']],
    [['keys', 'list', '--brand', '1', '--pro'], ['--profile']],
    [['stock', 'set', 'x'], []],
    [
      ['products', '--'],
      ['--profile', '--json', '--quiet', '--yes', '--help'],
    ],
    [['completion', '--he'], ['--help']],
    [['doc'], ['doctor']],
  ] as const)
    it(`offers ${expected.join(', ') || 'nothing'} after '${words.join(' ')}'`, () =>
      assert.deepEqual(complete(...words), expected));

  it('offers every command of the help', async () => {
    const { stdout } = await cli(['--help']);
    const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) {2,}\S/gm)].map(([, name]) => name);
    assert.ok(names.length > 20);
    for (const name of names) assert.ok(complete('').includes(String(name)), name);
  });
});

describe('the scripts for other shells', () => {
  for (const shell of ['zsh', 'fish'])
    it(`have the commands and options with descriptions: ${shell}`, async () => {
      const { code, stdout } = await cli(['completion', shell]);
      assert.equal(code, 0);
      for (const text of ['keys handover', 'look again every minute', 'export'])
        assert.ok(stdout.includes(text), text);
    });

  it('are known by name', async () => {
    const { code, stderr } = await cli(['completion', 'csh']);
    assert.equal(code, 2);
    assert.match(stderr, /Allowed choices are bash, zsh, fish/);
  });
});
