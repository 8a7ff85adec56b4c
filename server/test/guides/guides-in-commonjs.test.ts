// nightly: the programs of the guides also as CommonJS
import process from 'node:process';

process.env['BRANDPORT_GUIDES_COMMONJS'] = '1';
await import('./guides.test.ts');
