// Plain JavaScript that any Node from 20 runs.
import { spawn } from 'node:child_process';
import { accessSync, constants as fileModes, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';

const forwardedSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'];

/**
 * Continues as another program, on the Node that npm installed with Brandport, or on this one. Exits with 1 if it is too old.
 *
 * @param {readonly string[]} nodeArguments options of Node, the program and its arguments
 * @param {number} oldestNode the oldest major version that runs the program: 24 for TypeScript
 */
export function startOnNode(nodeArguments, oldestNode) {
  const node = findNode(oldestNode);
  if (node === undefined)
    fail(
      `There is no Node ${oldestNode} for this machine (${process.platform}-${process.arch}).\nBrandport runs on Node ` +
        `${oldestNode} and later; this is Node ${process.versions.node}. ${oldestNode === 24 ? inCheckout : inPackage}`,
    );
  else run(node, nodeArguments);
}

const inCheckout =
  'In a checkout, npm installs it as the dependency "node": run `npm ci` again without --ignore-scripts and --omit=optional.';
const inPackage =
  'Run `npm install node@24` in the directory in which you installed Brandport: it is used from there.';

/**
 * Finds the Node to run on: that of the npm package `node`, or the program that its install script would have linked, or
 * else the Node that runs this file, if it is new enough.
 *
 * @param {number} oldestNode
 * @returns {string | undefined}
 */
function findNode(oldestNode) {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('node/package.json');
    // Somebody else's package may have another Node.
    const isNew = Number.parseInt(JSON.parse(readFileSync(manifest, 'utf8')).version, 10) >= oldestNode;
    const bundled = dirname(manifest);
    const forPlatform = `node-${process.platform}-${process.arch}`;
    const candidates = [
      join(bundled, 'bin', name),
      join(bundled, 'node_modules', forPlatform, 'bin', name),
      join(dirname(bundled), forPlatform, 'bin', name),
    ];
    const found = isNew ? candidates.find(isExecutable) : undefined;
    if (found !== undefined) return found;
  } catch {
    // The package is not installed.
  }
  return Number.parseInt(process.versions.node, 10) >= oldestNode ? process.execPath : undefined;
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, fileModes.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/**
 * @param {string} file
 * @param {readonly string[]} args
 */
function run(file, args) {
  // Replaces this process where Node can: there is then nothing between the program and its supervisor.
  if (typeof process.execve === 'function' && process.platform !== 'win32') {
    process.execve(file, [file, ...args], process.env);
    return;
  }
  const child = spawn(file, args, { stdio: 'inherit' });
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => fail(`${file} cannot be started: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    // Ends this process by the same signal, so that its caller sees what happened.
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Where the signal does not end it, as in a container's first process: the shell's code for it.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 1_000);
  });
}
