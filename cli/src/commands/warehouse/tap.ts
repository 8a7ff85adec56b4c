import type { Define } from '../command.ts';
import type { TapFiles } from './start-tap.ts';

const notes = `
Writes Singer messages to standard output: SCHEMA, RECORD, and STATE after each day that is complete.
The configuration is JSON: {"url": "...", "api_key": "...", "start_date": "2026-01-01", "streams": ["users"]}; all of it
is optional. Without url and api_key, the profile or the environment is used.

Singer has no message for rows that are gone. Streams with learners or contents are FULL_TABLE unless the catalog says
INCREMENTAL, which needs a target that replaces all rows of a date.`;

export const defineTap: Define = (command, run) => {
  command
    .option('--config <file>', 'the configuration')
    .option('--catalog <file>', 'the streams to send, as --discover writes them')
    .option('--state <file>', 'the last STATE that the target has stored')
    .option('--discover', 'write the catalog instead of sending streams')
    .addHelpText('after', notes)
    .action((files: TapFiles) =>
      run(async (context) => {
        const { startTap } = await import('./start-tap.ts');
        return startTap(context, files);
      }),
    );
};
