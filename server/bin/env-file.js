import { readFileSync } from 'node:fs';
import process from 'node:process';

/**
 * Reads the settings of `--env-file FILE`, which comes before the command, into the environment, and removes both arguments. The
 * file is that of the unit: `NAME=value` lines, without a shell. The file wins over the environment: Node itself has read it by
 * then, as another format, in which `#` ends a value.
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
  for (const [at, line] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*([#;]|$)/.test(line)) continue;
    const [, name, written = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/.exec(line) ?? [];
    // Not the line itself: it may have a secret.
    if (name === undefined) fail(`${file}: line ${at + 1} is not NAME=value.`);
    const value = readValue(written);
    if (value === null)
      fail(`${file}: line ${at + 1} has a quote that is not closed, or a backslash at its end.`);
    process.env[name] = value;
  }
}

/**
 * Reads a value as systemd does. In single quotes, everything is as it is; in double quotes, a backslash escapes `"`, `\`, `` ` ``
 * and `$`; outside, any character. Quotes inside of an unquoted part are characters. null: the value has no end in its line.
 * @param {string} written
 */
function readValue(written) {
  let value = '';
  let rest = written.trimStart();
  for (let quoted = firstQuoted.exec(rest); quoted !== null; quoted = firstQuoted.exec(rest)) {
    const [whole, single, double = ''] = quoted;
    value += single ?? double.replace(/\\(["\\`$])/g, '$1');
    rest = rest.slice(whole.length).trimStart();
  }
  if (/^["']/.test(rest) || /(?<!\\)(?:\\\\)*\\$/.test(rest)) return null;
  return value + rest.replace(/\\(.)|\s+$/g, '$1');
}

const firstQuoted = /^'([^']*)'|^"((?:[^"\\]|\\.)*)"/;

/** @param {string} message */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
