#!/usr/bin/env node
// `brandport tap` under the name that Singer orchestrators look for.
import process from 'node:process';

process.argv.splice(2, 0, 'tap');
await import('./brandport.js');
