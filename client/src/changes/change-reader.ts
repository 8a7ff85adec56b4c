import type { Checkpoint } from './change-state.ts';

/** Changes after a checkpoint, in their order, and the checkpoint after them. */
export interface ChangeBatch<Item = unknown, Own extends Checkpoint = Checkpoint> {
  readonly items: readonly Item[];
  readonly checkpoint: Own;
}

/** Reads the changes of one kind of resource. */
export interface ChangeReader<Item, Own extends Checkpoint> {
  /** The checkpoint before everything. */
  readonly start: Own;
  /** Returns whether a checkpoint is one of this kind. */
  isOwn(checkpoint: Checkpoint): checkpoint is Own;
  /** Returns the next batch, which may be empty with another checkpoint; null if nothing has changed. */
  next(after: Own): Promise<ChangeBatch<Item, Own> | null>;
}
