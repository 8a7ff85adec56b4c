// processes: the command as a user runs it: pipes, terminals, signals, modules of the start
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import process from 'node:process';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { type CliBrand, newHome, startCliService } from './cli-service.ts';

const bin = fileURLToPath(new URL('../bin/brandport.js', import.meta.url));
const { apps, clientUrl, newCliBrand } = await startCliService();
after(() => apps.clientApp.close());

interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

function environment(env: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: newHome(), ...env };
}

async function run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Outcome> {
  return outcomeOf(
    spawn(process.execPath, [bin, ...args], { env: environment(env), stdio: ['ignore', 'pipe', 'pipe'] }),
  );
}

async function outcomeOf(child: ChildProcess): Promise<Outcome> {
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  const [code, signal] = await once(child, 'close');
  return { code, signal, ...text };
}

/** Runs a shell command, with the bin as `$BRANDPORT`, in its own terminal. What is typed is `input`. */
async function inTerminal(
  command: string,
  {
    env,
    input,
  }: {
    readonly env: NodeJS.ProcessEnv;
    readonly input: (typed: (text: string) => void, seen: () => string) => Promise<void>;
  },
): Promise<{ code: number | null; text: string }> {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...env, BRANDPORT: `${process.execPath} ${bin}`, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const closed = once(child, 'close');
  await input(
    (typed) => void child.stdin.write(typed),
    () => text,
  );
  const [code] = await closed;
  return { code, text };
}

interface SilentServer {
  readonly url: string;
  readonly connected: () => boolean;
  readonly close: () => Promise<void>;
}

/** Starts a server that accepts connections and never responds. */
async function startSilentServer(): Promise<SilentServer> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  after(() => server.close());
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, connected: () => connections > 0, close };
}

describe('the start of brandport', () => {
  it('loads the list of commands for the help, and neither the SDK nor a command', async () => {
    const loaded = await modulesOf(['--help']);
    const foreign = loaded.filter((url) => !/\/cli\/(src|bin)\/|\/commander\//.test(url));
    assert.deepEqual(foreign, []);
    const commands = loaded.filter((url) => /\/src\/commands\//.test(url));
    assert.deepEqual(
      commands.map((url) => basename(url)),
      ['command.ts', 'entries.ts'],
    );
  });
});

/** Returns the files that a run loads. */
async function modulesOf(args: readonly string[]): Promise<string[]> {
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    process.on('exit', () => process._rawDebug('loaded ' + JSON.stringify(loaded)));`;
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
  const child = spawn(process.execPath, [...preload, bin, ...args], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { stderr } = await outcomeOf(child);
  const loaded: string[] = JSON.parse(/^loaded (.*)$/m.exec(stderr)?.[1] ?? '[]');
  return loaded.filter((url) => url.startsWith('file:'));
}

describe('a pipe that is closed', () => {
  it('ends the command quietly, with 0 [D145]', async () => {
    const brand = await newCliBrand();
    for (let at = 0; at < 300; at += 1)
      await brand.brandport.catalog.products.create({ sku: `S${at}`, title: 'x'.repeat(200) });
    const command = `${process.execPath} ${bin} products export | head -1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', command], {
      env: environment(brand.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const { stdout, stderr } = await outcomeOf(child);
    const lines = stdout.trimEnd().split('\n');
    assert.deepEqual(
      [lines.length, JSON.parse(lines[0] as string).sku, lines[1], stderr],
      [2, 'S0', '0', ''],
    );
  });
});

describe('a service that is unavailable', () => {
  it('is reported in a sentence, with 1', async () => {
    const { url, close } = await startSilentServer();
    await close();
    const args = [bin, 'login', '--url', url];
    const child = spawn(process.execPath, args, { env: environment(), stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.end('key');
    const { code, stdout, stderr } = await outcomeOf(child);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: .+ \(connection_failed\)\n {2}.*ECONNREFUSED/m);
    assert.doesNotMatch(stderr, /^\s+at /m);
  });
});

describe('Ctrl-C', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    it(`ends a command that waits, with 130 (${signal})`, async () => {
      const { url, connected } = await startSilentServer();
      const env = environment({ BRANDPORT_URL: url, BRANDPORT_API_KEY: 'key' });
      const child = spawn(process.execPath, [bin, 'status'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
      const outcome = outcomeOf(child);
      await waitFor('the request', connected, 30_000);
      child.kill(signal);
      const { code, stdout, stderr } = await outcome;
      assert.deepEqual([code, stdout], [130, '']);
      assert.match(stderr, /^Interrupted\. /);
    });
});

describe('a terminal', () => {
  it('asks for the key without an echo', async () => {
    const brand = await newCliBrand();
    const env = environment();
    const { code, text } = await inTerminal(`$BRANDPORT login --url ${clientUrl}`, {
      env,
      input: async (type, seen) => {
        await waitFor('the prompt', () => seen().includes('API key: '), 30_000);
        type(`wrong\u007f\u007f\u007f\u007f\u007f${brand.apiKey}\r`);
      },
    });
    assert.equal(code, 0, text);
    assert.ok(!text.includes(brand.apiKey.slice(-20)));
    const stored = readFileSync(join(String(env['HOME']), '.config/brandport/profiles.json'), 'utf8');
    assert.equal(JSON.parse(stored).profiles.default.client.api_key, brand.apiKey);
  });

  it('restores itself after Ctrl-C at the prompt', async () => {
    const { code, text } = await inTerminal(`$BRANDPORT login --url ${clientUrl}; echo "code $?"; stty -a`, {
      env: environment(),
      input: async (type, seen) => {
        await waitFor('the prompt', () => seen().includes('API key: '), 30_000);
        type('tuk\u0003');
      },
    });
    assert.equal(code, 0, text);
    assert.match(text, /Interrupted\.[\s\S]*code 130/);
    assert.match(text, / icanon/);
    assert.match(text, / echo /);
  });

  for (const [answer, code] of [
    ['y', 0],
    ['n', 1],
    ['', 1],
    ['\u0003', 130],
  ] as const)
    it(`takes '${answer === '\u0003' ? 'Ctrl-C' : answer}' as an answer before a key is revoked`, async () => {
      const brand = await newCliBrand();
      const outcome = await inTerminal(`$BRANDPORT keys revoke ${brand.keyId}`, {
        env: environment(brand.env),
        input: async (type, seen) => {
          await waitFor('the question', () => seen().includes('[y/N]'), 30_000);
          type(answer === '\u0003' ? answer : `${answer}\r`);
        },
      });
      assert.equal(outcome.code, code, outcome.text);
      assert.equal(await isRefused(brand), code === 0);
    });

  it('shows bold heads, unless NO_COLOR is set', async () => {
    const brand = await newCliBrand();
    const list = (env: Readonly<Record<string, string>>) =>
      inTerminal('$BRANDPORT profiles', {
        env: environment({ ...brand.env, ...env }),
        input: async () => {},
      });
    assert.ok((await list({})).text.includes('\u001b[1m'));
    assert.ok(!(await list({ NO_COLOR: '1' })).text.includes('\u001b['));
  });
});

async function isRefused({ brandport }: CliBrand): Promise<boolean> {
  return brandport.catalog.status().then(
    () => false,
    () => true,
  );
}

describe('the server next to the command line', () => {
  it('runs its commands', async () => {
    const { code, stderr } = await run(['doctor'], { PORT: 'x' });
    assert.equal(code, 2);
    assert.match(stderr, /^Invalid configuration:/);
  });
});
