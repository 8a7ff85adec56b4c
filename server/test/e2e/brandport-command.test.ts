// nightly: starts servers with three versions of Node
import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createDatabase } from '../support/fresh-database.ts';
import { makeDataDir, projectDir } from '../support/server-process.ts';
import { databaseUrl } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

// [D110] [D144]
const launcher = join(projectDir, 'cli/bin/brandport.js');
const serverBin = join(projectDir, 'server/bin');
const systemPath = (process.env['PATH'] ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);

/** Makes Node 24 behave as an older one does here: it cannot replace its process. */
const withoutExecve = ['--import', 'data:text/javascript,delete process.execve'];
/** Makes it a Node 20 for everything that asks for its version. */
const asNode20 = [
  '--import',
  `data:text/javascript,delete process.execve; Object.defineProperty(process, 'versions', { value: { node: '20.20.0' } })`,
];

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const options = { cwd: projectDir, env: { PATH: systemPath, ...env } };
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}

/** The Node of the machine, which may be as old as 20. */
async function findSystemNode(): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', 'command -v node'], {
    env: { PATH: systemPath },
  }).catch(() => ({ stdout: process.execPath }));
  return stdout.trim();
}

/** The ways in which the launcher runs: on the machine's Node, on one without `execve`, and on this one. */
const ways = {
  'the Node of the machine': [await findSystemNode()],
  'a Node that cannot replace its process': [process.execPath, ...withoutExecve],
  'Node 24': [process.execPath],
} as const;

for (const [name, [node, ...nodeArguments]] of Object.entries(ways))
  describe(`brandport, started with ${name}`, () => {
    const brandport = (args: readonly string[], env?: NodeJS.ProcessEnv) =>
      run(node, [...nodeArguments, launcher, ...args], env);

    it('lists its commands', async () => {
      const { code, stdout } = await brandport(['--help']);
      assert.equal(code, 0);
      for (const command of ['serve', 'migrate', 'aggregate', 'doctor'])
        assert.match(stdout, new RegExp(`^  ${command} `, 'm'));
      assert.match((await brandport(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
    });

    it('passes on arguments, output and exit codes', async () => {
      const invalid = await brandport(['doctor'], { PORT: 'x' });
      assert.deepEqual([invalid.code, invalid.stdout], [2, '']);
      assert.match(invalid.stderr, /^Invalid configuration:\n {2}PORT must be/);
      const unknown = await brandport(['doctor', '--none']);
      assert.equal(unknown.code, 2);
      assert.match(unknown.stderr, /unknown option '--none'/);
    });

    it('passes on a stop signal, and ends as the server does', async () => {
      const env = await serverEnvironment();
      const { child } = await startLauncher([node, ...nodeArguments, launcher, 'serve'], env);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'close'), [0, null]);
    });

    it('ends by the signal that ends the server', async () => {
      const { child, serverPid } = await startLauncher(
        [node, ...nodeArguments, launcher, 'serve'],
        await serverEnvironment(),
      );
      process.kill(serverPid, 'SIGKILL');
      assert.deepEqual(await once(child, 'close'), [null, 'SIGKILL']);
    });
  });

describe('brandport in the checkout', () => {
  it('refuses a command that it does not have, and names the nearest if one is near', async () => {
    for (const [args, message] of [
      [['nope'], /^error: unknown command 'nope'\. 'brandport --help' lists all\.$/m],
      [['docter'], /^error: unknown command 'docter'\. The nearest is 'brandport doctor'\. /m],
      [['keys', 'nope'], /^error: unknown command 'nope'\. 'brandport keys --help' lists all\.$/m],
      [
        ['brands', 'creat', 'x'],
        /^error: unknown command 'creat'\. The nearest is 'brandport brands create'\. /m,
      ],
      [['serve', 'nope'], /^error: too many arguments for 'serve'/m],
    ] as const) {
      const { code, stdout, stderr } = await run(process.execPath, [launcher, ...args]);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
      assert.equal(stderr.trim().split('\n').length, 1);
    }
  });

  it('prints the help without a command, says how the server starts, and starts nothing', async () => {
    for (const program of [launcher, join(projectDir, 'server/src/main.ts')]) {
      const dataDir = join(await makeDataDir(), 'data');
      const env = { BRANDPORT_DATA_DIR: dataDir };
      const { code, stdout, stderr } = await run(process.execPath, [program], env);
      assert.match(stdout, /^Usage: brandport [\s\S]*^ {2}serve /m);
      assert.match(stderr, /^To start the server: brandport serve$/m);
      assert.equal(code, 2);
      assert.equal(existsSync(dataDir), false);
    }
  });

  it('is found by npx', async () => {
    const { code, stdout, stderr } = await run('npx', ['--no-install', 'brandport', '--version']);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it('explains what to do where no Node 24 is installed', async () => {
    const folder = join(await makeDataDir(), 'server');
    await cp(serverBin, join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const copy = join(folder, 'bin', 'brandport.js');
    const { code, stdout, stderr } = await run(process.execPath, [...asNode20, copy, 'doctor']);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^There is no Node 24 for this machine \(\w+-\w+\)\./);
    assert.match(stderr, /this is Node 20\.20\.0\. .*: run `npm ci` again without --ignore-scripts/);
    // The package has compiled modules.
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/main.js'), '');
    const packed = await run(process.execPath, [...asNode20, copy, 'doctor']);
    assert.equal(packed.code, 1);
    assert.match(packed.stderr, /^There is no Node 22 .*\n.* Run `npm install node@24` in the directory/);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });

  it('finds the program that the install script of its Node would have linked', async () => {
    const folder = await makeDataDir();
    const program = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
    await mkdir(dirname(program), { recursive: true });
    await writeFile(program, '#!/bin/sh\necho "found $3 $4"\n', { mode: 0o755 });
    await mkdir(join(folder, 'node_modules', 'node'));
    await writeFile(join(folder, 'node_modules', 'node', 'package.json'), '{ "version": "24.0.0" }');
    await cp(serverBin, join(folder, 'bin'), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    const { stdout } = await run(process.execPath, [...asNode20, join(folder, 'bin/brandport.js'), 'doctor']);
    assert.equal(stdout, `found ${join(folder, 'src/main.ts').replace('/bin/..', '')} doctor\n`);
  });
});

async function serverEnvironment(): Promise<NodeJS.ProcessEnv> {
  return {
    PATH: systemPath,
    PORT: '0',
    BRANDPORT_INTERNAL_PORT: '0',
    BRANDPORT_DATA_DIR: join(await makeDataDir(), 'data'),
    DATABASE_URL: databaseUrl(await createDatabase()),
  };
}

/** Starts the server through the launcher, and returns when it is ready. */
async function startLauncher(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; serverPid: number }> {
  const [file, ...args] = command as [string, ...string[]];
  const child = spawn(file, args, { env, cwd: projectDir, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  const serverPid = () => Number(/"pid":(\d+)/.exec(output.stderr)?.[1]);
  after(() => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    process.kill(serverPid(), 'SIGKILL');
    child.kill('SIGKILL');
  });
  await waitFor('the ready line', () => output.stdout.includes('"ready":true'), 60_000);
  return { child, serverPid: serverPid() };
}

describe('brandport --env-file', () => {
  it('reads the settings of the units without a shell, and names mistakes', async () => {
    const file = join(await makeDataDir(), 'brandport.env');
    await writeFile(
      file,
      '# A comment\n\nPORT=not a; port && no shell\nBRANDPORT_INTERNAL_PORT=80#81\nLOG_LEVEL=loud\n',
    );
    for (const bin of [launcher, join(serverBin, 'brandport.js')]) {
      const start = (path: string, env?: NodeJS.ProcessEnv) =>
        run(process.execPath, [bin, '--env-file', path, 'migrate'], env);
      const refused = await start(file, { LOG_LEVEL: 'info' });
      assert.equal(refused.code, 2, refused.stderr);
      for (const name of ['PORT', 'BRANDPORT_INTERNAL_PORT', 'LOG_LEVEL'])
        assert.match(refused.stderr, new RegExp(`^  ${name} must be`, 'm'));
      const missing = await start(`${file}.missing`);
      assert.notEqual(missing.code, 0);
      assert.match(missing.stderr, /brandport\.env\.missing/);
      await writeFile(`${file}.bad`, 'A=1\nexported B=2\n');
      const bad = await start(`${file}.bad`);
      assert.equal(bad.code, 2);
      assert.match(bad.stderr, /line 2 is not NAME=value/);
    }
  });

  it('reads a file as systemd does, also one from Windows and one for a shell', async () => {
    const file = join(await makeDataDir(), 'brandport.env');
    const lines: [string, string][] = [
      ['PLAIN=a # b "c" \'d\'  ', `a # b "c" 'd'`],
      ['  SPACED = a', 'a'],
      ['export EXPORTED=a', 'a'],
      ['EMPTY=', ''],
      ['EMPTY_QUOTED=""', ''],
      [`SINGLE=' a "b" \\ $c '`, ' a "b" \\ $c '],
      ['DOUBLE=" a \'b\' \\" \\\\ \\$ \\` \\n "', ` a 'b' " \\ $ \` \\n `],
      [`PARTS="a"'b' c`, 'abc'],
      ['ESCAPED=a\\b\\\\c\\ ', 'ab\\c '],
      ['URL="postgresql://u:p%23@h/db?a=b"  ', 'postgresql://u:p%23@h/db?a=b'],
    ];
    await writeFile(file, `\ufeff${lines.map(([line]) => line).join('\r\n')}\r\n; a comment\n`);
    const module = JSON.stringify(join(serverBin, 'env-file.js'));
    const script = `(await import(${module})).readEnvFile(); console.log(JSON.stringify(process.env))`;
    const start = (path: string) =>
      run(process.execPath, ['--input-type=module', '-e', script, 'x', '--env-file', path]);
    const { stdout, stderr } = await start(file);
    const read = JSON.parse(stdout || stderr);
    for (const [line, value] of lines) {
      const [, name = ''] = /(\w+) ?=/.exec(line) ?? [];
      assert.equal(read[name], value, line);
    }
    for (const line of [`A="secret`, `A='secret`, 'A="secret\\"', 'A=secret\\', `A="s"'ecret`]) {
      await writeFile(file, `B=1\n${line}\n`);
      const refused = await start(file);
      assert.equal(refused.code, 2, line);
      assert.match(refused.stderr, /line 2 has a quote that is not closed, or a backslash at its end\.$/m);
      assert.doesNotMatch(refused.stderr, /ecret/);
    }
  });
});
