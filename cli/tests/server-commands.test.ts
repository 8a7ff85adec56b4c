import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createProgram } from '../../server/src/commands/program.ts';
import { serverCommands } from '../src/program.ts';

it('lists the commands of the server as the server does, but for the nouns that it has itself [D144]', () => {
  const program = createProgram(async () => {});
  assert.deepEqual(
    program.commands
      .filter((command) => !['brands', 'keys'].includes(command.name()))
      .map((command) => [command.name(), command.description()]),
    serverCommands,
  );
});
