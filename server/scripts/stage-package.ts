import { execFile } from 'node:child_process';
import { chmod, cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));

/** The oldest Node with `node:sqlite` and all else that the built server uses. */
const engines = '>=22.13';

/** The workspaces whose packages the server loads. */
const workspaces = ['server', 'extensions/clickhouse', 'extensions/openid-connect', 'extensions/sandbox'];

/** The files that the server reads next to its modules, relative to the project. */
const assets = [
  'console/dist',
  'connectors/python/brandport_pull.py',
  'server/bin',
  'server/database/analytics',
  'server/database/main',
  'server/dist/pages',
  'server/openapi-internal.json',
  'server/openapi.json',
  'server/package.json',
];

/**
 * Writes the package `@brandport/server` into an empty folder, for `npm pack`: JavaScript, because Node strips no types below
 * `node_modules`, in the folders of the project, so that modules find the files next to them.
 * @throws Error if a source does not compile, or a part was not built
 */
export async function stagePackage(folder: string): Promise<void> {
  await run(
    join(project, 'node_modules/.bin/tsc'),
    ['-p', join(project, 'server/tsconfig.build.json'), '--outDir', folder],
    { cwd: project },
  );
  await nameBuiltThreads(folder);
  for (const path of assets) await cp(join(project, path), join(folder, path), { recursive: true });
  await mkdir(join(folder, 'bin'));
  await writeFile(
    join(folder, 'bin/brandport.js'),
    "#!/usr/bin/env node\nimport '../server/bin/brandport.js';\n",
  );
  await writeFile(join(folder, 'bin/env-file.js'), "export * from '../server/bin/env-file.js';\n");
  await chmod(join(folder, 'bin/brandport.js'), 0o755);
  await cp(join(project, 'server/README.md'), join(folder, 'README.md'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
}

/** Threads are started by the URLs of their modules, which the compiler does not rewrite. */
async function nameBuiltThreads(folder: string): Promise<void> {
  for await (const path of glob('**/*.js', { cwd: folder })) {
    const text = await readFile(join(folder, path), 'utf8');
    const built = text.replaceAll(/new URL\('(\.[^']*)\.ts'/g, "new URL('$1.js'");
    if (built !== text) await writeFile(join(folder, path), built);
  }
}

/** Dependencies have the versions of the lock file, with which the server was tested. */
async function manifest(): Promise<object> {
  const manifests = await Promise.all(
    workspaces.map(async (workspace) => ({
      workspace,
      ...JSON.parse(await readFile(join(project, workspace, 'package.json'), 'utf8')),
    })),
  );
  const { name, version } = manifests[0];
  const pinned = manifests.flatMap(({ workspace, dependencies = {} }) =>
    Object.keys(dependencies).map((dependency) => [
      dependency,
      versionOf(join(project, workspace), dependency),
    ]),
  );
  return {
    name,
    version,
    description: 'The server of Brandport: catalog, stock feeds and learning analytics',
    license: 'UNLICENSED',
    private: true,
    type: 'module',
    engines: { node: engines },
    bin: { 'brandport-server': 'bin/brandport.js' },
    files: ['*'],
    dependencies: Object.fromEntries(
      await Promise.all(pinned.map(async ([key, value]) => [key, await value])),
    ),
    optionalDependencies: manifests[0].optionalDependencies,
  };
}

async function versionOf(workspace: string, dependency: string): Promise<string> {
  const places = createRequire(join(workspace, 'package.json')).resolve.paths(dependency) ?? [];
  for (const place of places) {
    const text = await readFile(join(place, dependency, 'package.json'), 'utf8').catch(() => null);
    if (text !== null) return JSON.parse(text).version;
  }
  throw new Error(`${dependency} of ${workspace} is not installed`);
}
