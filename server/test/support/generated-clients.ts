import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { projectDir } from './server-process.ts';

/** The folder of the generators; they need their own TypeScript, since the project's has no JavaScript API [D68]. */
const checksDir = join(projectDir, 'checks');
const generatedDir = join(checksDir, 'generated');

/** Resolves packages as the folder of the generators does. */
export const requireFromChecks = createRequire(join(checksDir, 'package.json'));

const toolLimitMs = 200_000;

/** Runs a command line tool of the folder. @throws Error with what it printed, when it fails */
async function runTool(script: string, args: readonly string[]): Promise<void> {
  const options = { cwd: checksDir, timeout: toolLimitMs, maxBuffer: 16 * 1024 * 1024 };
  await promisify(execFile)(process.execPath, [join(checksDir, script), ...args], options).catch(
    ({ message, stdout }: Error & { stdout: string }) => {
      throw new Error(`${message}\n${stdout}`);
    },
  );
}

/** Writes the types of openapi-typescript and the client of @hey-api/openapi-ts for a document, as an integrator would. */
export async function generateClients(name: string, documentText: string): Promise<void> {
  await mkdir(generatedDir, { recursive: true });
  const document = join(generatedDir, `${name}.json`);
  await writeFile(document, documentText);
  await runTool('node_modules/openapi-typescript/bin/cli.js', [
    document,
    '--output',
    join(generatedDir, `${name}-openapi-typescript.d.ts`),
  ]);
  await runTool('node_modules/@hey-api/openapi-ts/bin/run.js', [
    '--input',
    document,
    '--output',
    join(generatedDir, 'source', `${name}-hey-api`),
    '--no-log-file',
  ]);
}

/** Removes files of earlier runs, so that nothing stale is compiled. */
export async function removeGeneratedClients(): Promise<void> {
  await rm(generatedDir, { recursive: true, force: true });
}

/** Compiles the generated clients, then the journeys against them, strictly. @throws Error with the compiler's messages */
export async function compileJourneys(): Promise<void> {
  const compiler = 'node_modules/typescript/bin/tsc';
  await runTool(compiler, ['-p', 'tsconfig.generated.json']);
  await runTool(compiler, ['-p', 'tsconfig.json']);
}

export interface Journey {
  run(service: { clientUrl: string; internalUrl: string; adminToken: string }): Promise<void>;
}

export async function importJourney(name: string): Promise<Journey> {
  return import(pathToFileURL(join(generatedDir, 'journeys', `${name}.js`)).href);
}
