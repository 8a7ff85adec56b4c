import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PackedFile } from '../../src/http/sdk-routes.ts';

const tarball = /^brandport-(client|cli|server)-(\d+\.\d+\.\d+[\w.-]*)\.tgz$/;
/** Each needs those before it, if it needs any. */
const order = ['client', 'cli', 'server'];

/**
 * Writes the page about the tarballs of a folder, `index.html`, and their list, `packages.json`, next to them: the SDK first,
 * then the command line. The page has `{{address}}` for its own address, which the commands repeat.
 */
export async function writeSdkPage(folder: string): Promise<void> {
  const packages = await describeTarballs(folder);
  await writeFile(join(folder, 'packages.json'), JSON.stringify({ packages }));
  await writeFile(join(folder, 'index.html'), sdkPage(packages));
}

async function describeTarballs(folder: string): Promise<PackedFile[]> {
  const found: { rank: number; packed: PackedFile }[] = [];
  for (const file of await readdir(folder)) {
    const [, name, version] = tarball.exec(file) ?? [];
    if (name === undefined || version === undefined) continue;
    const content = await readFile(join(folder, file));
    const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
    const packed = { file, package: `@brandport/${name}`, version, bytes: content.length, integrity };
    found.push({ rank: order.indexOf(name), packed });
  }
  return found.sort((a, b) => a.rank - b.rank).map(({ packed }) => packed);
}

function sdkPage(files: readonly PackedFile[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Packages - Brandport</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../docs/guides/guides.css">
</head>
<body>
<main>
<h1>Packages</h1>
${commands(files)}
<p><a href="../docs/guides/integrators-day-in-code">An integrator's day, in code</a>,
<a href="../docs/guides/command-line">Command line</a></p>
</main>
</body>
</html>
`;
}

const withoutServer = `
<p>This server was installed from its own package, <code>@brandport/server</code>, and does not have it to offer: take the file from where this
server got it, such as the page <code>/sdk/</code> of another Brandport, or use the directory in which this server is installed.</p>`;

const uses: Readonly<Record<string, string>> = {
  '@brandport/client': 'The SDK, for Node 20.19 and later:',
  '@brandport/cli': 'With the command line, for Node 20.19 and later:',
  '@brandport/server': 'With the server, for Node 22.13 and later:',
};

function commands(files: readonly PackedFile[]): string {
  const urls = files.map(({ file }) => `{{address}}${file}`);
  const installs = files.map(
    ({ package: name }, last) =>
      `<p>${uses[name]}</p>\n<pre><code>npm install ${urls.slice(0, last + 1).join(' ')}</code></pre>`,
  );
  const rows = files.map(
    ({ file, package: name, version, bytes }) =>
      `<tr><td>${name}</td><td>${version}</td><td><a href="${file}">${file}</a></td><td>${Math.ceil(bytes / 1024)} KB</td></tr>`,
  );
  const hasServer = files.some(({ package: name }) => name === '@brandport/server');
  return `<p>The tarballs of this version.</p>
${installs.join('\n')}${hasServer ? '' : withoutServer}
<div class="table"><table><thead><tr><th>package</th><th>version</th><th>file</th><th>size</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>
<p><a href="brandport_pull.py">brandport_pull.py</a> pulls analytics with Python's standard library alone, see
<a href="../docs/guides/analytics-bi">Analytics for BI</a>.</p>`;
}
