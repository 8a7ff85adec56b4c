import type { Define } from '../command.ts';
import { addFollowOptions, followChanges } from './follow-changes.ts';

export const defineChanges: Define = (command, run) => {
  addFollowOptions(command, 'a product').action((options) =>
    run((context) => followChanges(context, options, ({ products }, own) => products.changes(own))),
  );
};
