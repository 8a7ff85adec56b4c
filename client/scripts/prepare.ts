import { existsSync } from 'node:fs';
import process from 'node:process';
import { packTarballs } from './pack-tarballs.ts';

/**
 * Packs the tarballs that the client listener serves, after `npm ci` and `npm install`. Exits 0 without them if the compiler is
 * not installed, as after `npm ci --omit=dev`, and 1 if a source does not compile [D279].
 */

const compiler = new URL('../../node_modules/.bin/tsc', import.meta.url);

if (!existsSync(compiler))
  process.stderr.write(
    'The SDK is not packed, because its compiler is not installed. To pack it: npm ci --include=dev\n',
  );
else if (await packTarballs())
  process.stderr.write('Packed the SDK and the command line into client/tarballs.\n');
