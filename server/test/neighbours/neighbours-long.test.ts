// nightly: it measures each neighbour for twelve seconds
import process from 'node:process';

process.env['BRANDPORT_NEIGHBOURS_SECONDS'] ??= '12';
await import('./neighbours.test.ts');
