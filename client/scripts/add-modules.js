// Adds ES modules to the packed CommonJS. They export what is there, so that a process has one copy of each class [D272].
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const dist = new URL('../dist/', import.meta.url);
// The package around it has the type `module`.
writeFileSync(new URL('package.json', dist), '{ "type": "commonjs" }\n');
for (const entry of ['index', 'admin/index', 'testing/index']) {
  const names = Object.keys(createRequire(import.meta.url)(fileURLToPath(new URL(`${entry}.js`, dist))));
  writeFileSync(new URL(`${entry}.mjs`, dist), `export { ${names.join(', ')} } from './index.js';\n`);
  writeFileSync(new URL(`${entry}.d.mts`, dist), "export * from './index.js';\n");
}
