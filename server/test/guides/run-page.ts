import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { projectDir } from '../support/server-process.ts';
import type { CodeBlock } from './code-blocks.ts';

/** The output of one block of a page. */
export interface BlockRun {
  readonly block: CodeBlock;
  /** Null unless the block is executed. */
  readonly stdout: string | null;
}

export interface PageRunOptions {
  /** The variables of the page's shell. */
  readonly env: Readonly<Record<string, string>>;
  /** Files in the folder where the page's commands run. */
  readonly files?: Readonly<Record<string, string>>;
  /** Links in that folder, such as those to installed packages, and where they lead. */
  readonly links?: Readonly<Record<string, string>>;
  /** Replaced in every block, such as the addresses of listeners. */
  readonly replace?: Readonly<Record<string, string>>;
}

const limitMs = 180_000;

/**
 * Executes the blocks of a page as its reader does: saves those that are files, then runs the `sh` blocks in order in one
 * shell, in an empty folder. @throws Error with its output, when a command fails
 */
export async function runPage(blocks: readonly CodeBlock[], options: PageRunOptions): Promise<BlockRun[]> {
  const { env, files = {}, links = {}, replace = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'brandport-page-'));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    for (const [name, target] of Object.entries(links)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await symlink(target, join(folder, name));
    }
    for (const { file, text } of blocks)
      if (file !== null) await writeFile(join(folder, file), `${replaced(text, replace)}\n`);
    // Braces run a block in the same shell: variables and functions of a block are known to the later ones.
    const script = blocks.map((block, index) =>
      isExecuted(block) ? `{\n${replaced(block.text, replace)}\n} > .stdout-${index}\n` : '',
    );
    await runShell(`set -euo pipefail\n${script.join('')}`, folder, env);
    return await Promise.all(
      blocks.map(async (block, index) => ({
        block,
        stdout: isExecuted(block) ? await readFile(join(folder, `.stdout-${index}`), 'utf8') : null,
      })),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns whether the block is a command that is executed in place. */
export function isExecuted({ language, file, notRun }: CodeBlock): boolean {
  return language === 'sh' && file === null && notRun === null;
}

function replaced(text: string, replace: Readonly<Record<string, string>>): string {
  return Object.entries(replace).reduce((result, [from, to]) => result.replaceAll(from, to), text);
}

function runShell(script: string, cwd: string, env: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', script], {
      cwd,
      // The commands of the checkout, also if the tests were not started by npm.
      env: {
        PATH: `${join(projectDir, 'node_modules/.bin')}:${process.env['PATH']}`,
        HOME: cwd,
        LC_ALL: 'C.UTF-8',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: limitMs,
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.once('error', reject);
    child.once('close', async (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`the page's shell ended with ${code ?? signal}\n${stderr}\n${await outputs(cwd)}`));
    });
  });
}

async function outputs(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name.startsWith('.stdout-'));
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return names.map((name, index) => `${name}: ${texts[index]?.slice(0, 1_000)}`).join('\n');
}
