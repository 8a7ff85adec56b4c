import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProgram } from '../../server/src/commands/program.ts';
import { serverCommands } from '../src/server-commands.ts';

it('lists the commands of the server as the server does [D144]', () => {
  const program = createProgram(async () => {});
  assert.deepEqual(
    program.commands.map((command) => [command.name(), command.description()]),
    serverCommands,
  );
});
