import { createRequire } from 'node:module';
import * as imported from '@brandport/client';
import * as admin from '@brandport/client/admin';

const require = createRequire(import.meta.url);
for (const [name, modules] of [
  ['@brandport/client', imported],
  ['@brandport/client/admin', admin],
]) {
  const required = require(name);
  for (const [key, value] of Object.entries(required))
    if (modules[key] !== value) throw new Error(`${name} has two of ${key}`);
  for (const key of Object.keys(modules))
    if (!(key in required)) throw new Error(`${name} has ${key} by import alone`);
}
if (admin.BrandportError !== imported.BrandportError)
  throw new Error('each entry has its own BrandportError');
process.stdout.write(String('Brandport' in imported));
