import { execFile, execFileSync } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { type ServerProcess, startServerProcess } from '../support/server-process.ts';

const run = promisify(execFile);

type Env = Readonly<Record<string, string | undefined>>;

/** Somebody without a checkout: another user than root, who may write in `home` only, and finds the packages in `dir`. */
export interface Stranger {
  readonly dir: string;
  readonly home: string;
  /** The paths of Node and of the command, for `as`. */
  readonly node: string;
  readonly script: string;
  /** The environment and user of each program, which runs in `home`. */
  as(env?: Env): { uid?: number; gid?: number; cwd: string; env: NodeJS.ProcessEnv };
  /** Runs `brandport` of the packages. @throws Error if it does not exit with 0 */
  brandport(args: readonly string[], env?: Env): Promise<{ stdout: string; stderr: string }>;
  /** Starts `brandport serve` with the demonstration brand, or the sandbox, and waits until it is ready. */
  serve(env?: Env, args?: readonly string[]): Promise<ServerProcess>;
}

/** Makes an empty folder, which is removed after the file. @param nodeProgram the Node that runs the packages */
export async function newStranger(nodeProgram: string): Promise<Stranger> {
  const dir = await mkdtemp(join(tmpdir(), 'brandport-stranger-'));
  after(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755);
  await writeFile(join(dir, 'package.json'), '{ "private": true }');
  const home = join(dir, 'home');
  await mkdir(home);
  await chmod(home, 0o777);
  // A copy that another user may run: checkouts and runtimes may be in folders of root alone.
  const node = join(dir, 'bin/node');
  await mkdir(dirname(node));
  await copyFile(nodeProgram, node);
  await chmod(node, 0o755);
  const id = (option: string) => Number(execFileSync('id', [option, 'nobody']));
  const user = process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : {};
  const path = `${dirname(node)}:/usr/bin:/bin`;
  const as: Stranger['as'] = (env = {}) => ({
    ...user,
    cwd: home,
    env: { PATH: path, HOME: home, TMPDIR: home, NODE_COMPILE_CACHE: undefined, ...env },
  });
  const script = join(dir, 'node_modules/@brandport/cli/bin/brandport.js');
  return {
    dir,
    home,
    node,
    script,
    as,
    brandport: (args, env) => run(node, [script, ...args], as(env)),
    serve: (env, args = ['serve']) =>
      startServerProcess({
        ...as({ BRANDPORT_DEMO: undefined, BRANDPORT_DATA_DIR: undefined, ...env }),
        command: [node, script, ...args],
      }),
  };
}
