import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Reads the settings of `--env-file FILE`, which comes before the command, into the environment, and removes both arguments. The
 * file is that of the unit: `NAME=value` lines, values as they are, without a shell. The file wins over the environment: Node
 * itself has read it by then, as another format, in which `#` ends a value.
 */
export function readEnvFile() {
  const [option, file] = process.argv.slice(2, 4);
  if (option !== '--env-file') return;
  if (file === undefined) fail('--env-file needs a file.');
  process.argv.splice(2, 2);
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    fail(`${file} cannot be read: ${error.message}`);
  }
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value = ''] = /^([A-Za-z_]\w*)=(.*?)\s*$/.exec(line) ?? [];
    // Not the line itself: it may have a secret.
    if (name === undefined) fail(`${file}: line ${at + 1} is not NAME=value.`);
    process.env[name] = value;
  }
}

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
