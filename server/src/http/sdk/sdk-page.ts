import { escapeHtml } from '../docs/html.ts';
import type { PackedFile } from './packed-files.ts';

/** Returns the page of the tarballs. @param address that of the page, which the commands repeat */
export function sdkPage(files: readonly PackedFile[], address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>SDK and command line - Brandport</title>
<link rel="stylesheet" href="../docs/guides/guides.css">
</head>
<body>
<main>
<h1>SDK and command line</h1>
${files.length === 0 ? missing : commands(files, address)}
<p><a href="../docs/guides/integrators-day-in-code">An integrator's day, in code</a>,
<a href="../docs/guides/command-line">Command line</a></p>
</main>
</body>
</html>
`;
}

const missing = `<p>This installation has not packed them. Run this in the directory of Brandport:</p>
<pre><code>npm ci --include=dev</code></pre>`;

function commands(files: readonly PackedFile[], address: string): string {
  const urls = files.map(({ file }) => escapeHtml(address + file));
  const rows = files.map(
    ({ file, package: name, version, bytes }) =>
      `<tr><td>${name}</td><td>${version}</td><td><a href="${file}">${file}</a></td><td>${Math.ceil(bytes.length / 1024)} KB</td></tr>`,
  );
  return `<p>The tarballs of this version, for Node 20.19 and later. The SDK alone, then with the command line, which uses it:</p>
<pre><code>npm install ${urls[0]}</code></pre>
<pre><code>npm install ${urls.join(' ')}</code></pre>
<table><thead><tr><th>package</th><th>version</th><th>file</th><th>size</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
}
