import type { WriteOutcome } from '../api/reply.ts';
import type { ApiError } from '../errors/api-error.ts';
import type { BrandWrite } from './write-turn.ts';

/** The most requests of a transaction. */
const maxRequests = 16;
/** The most that a queue gives to a turn before other queues have given theirs. */
const maxOfQueue = 4;

/** A request that waits for its transaction, or is in it. */
export interface Member {
  readonly write: BrandWrite;
  readonly answer: (outcome: WriteOutcome | ApiError) => void;
  readonly fail: (reason: unknown) => void;
  /** Called when the wait ends: the request is taken, or removed. */
  readonly leave: () => void;
  isWaiting: boolean;
  /** Its key was looked up. Once is enough: the record of a request that has its key appears with the end of its turn. */
  isLookedUp: boolean;
}

/** The requests of a brand that wait for one of its locks, in order of arrival. */
export class WriteQueue {
  readonly brandId: number;
  readonly waiting: Member[] = [];
  /** Requests of the queue are in a transaction. Only one at a time has some. */
  isRunning = false;
  /** That transaction takes long: retries are meanwhile answered from their records. */
  isSlow = false;

  constructor(brandId: number) {
    this.brandId = brandId;
  }

  /** True if the first request may share a transaction. */
  get isShareable(): boolean {
    const [first] = this.waiting;
    return first !== undefined && first.write.subject !== null;
  }

  /** Takes the first request, which shares its transaction with no other. */
  takeOne(): readonly Member[] {
    return this.#take(1);
  }

  /** Takes the first requests that may share a transaction; with `others` at most as many as fit into it. */
  takeShareable({ most = maxRequests, others = 0 } = {}): readonly Member[] {
    const size = this.waiting.findIndex(({ write }) => write.subject === null);
    return this.#take(Math.min(size === -1 ? this.waiting.length : size, most, maxRequests - others));
  }

  /** Returns false if the request does not wait any more. */
  remove(member: Member): boolean {
    if (!member.isWaiting) return false;
    this.waiting.splice(this.waiting.indexOf(member), 1);
    left(member);
    return true;
  }

  #take(size: number): readonly Member[] {
    const taken = this.waiting.splice(0, size);
    for (const member of taken) left(member);
    return taken;
  }
}

function left(member: Member): void {
  member.isWaiting = false;
  member.leave();
}

/** The queues of all brands for one kind of lock. Those that wait for a shared transaction are served in rotation. */
export class WriteQueues {
  readonly #queues = new Map<number, WriteQueue>();
  /** The queues whose first request waits for a turn; the one that is next is first. */
  readonly #rotation = new Set<WriteQueue>();
  /** The number of shared transactions that run. */
  turns = 0;

  get waiting(): number {
    return [...this.#queues.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Returns the queue of a brand; a new one is known once it has a request. */
  of(brandId: number): WriteQueue {
    return this.#queues.get(brandId) ?? new WriteQueue(brandId);
  }

  add(queue: WriteQueue, member: Member): void {
    this.#queues.set(queue.brandId, queue);
    queue.waiting.push(member);
  }

  forget(queue: WriteQueue): void {
    this.#queues.delete(queue.brandId);
    this.#rotation.delete(queue);
  }

  /** Lets a queue wait for its turn: after all queues that wait already, unless it is one of them. */
  addToRotation(queue: WriteQueue): void {
    this.#rotation.add(queue);
  }

  /**
   * Takes the requests of a turn, which then run: a few of each queue, so that the brands with many wait for those with one, and
   * more where no other queue has any. None: no queue waits.
   */
  takeTurn(): ReadonlyMap<WriteQueue, readonly Member[]> {
    const turn = new Map<WriteQueue, readonly Member[]>();
    let size = 0;
    for (const queue of this.#rotation) {
      if (size === maxRequests) break;
      const taken = queue.takeShareable({ most: maxOfQueue, others: size });
      size += taken.length;
      turn.set(queue, [...(turn.get(queue) ?? []), ...taken]);
      // Its requests may fill the rest of the turn after those of all others. A set visits what is added meanwhile.
      this.#rotation.delete(queue);
      if (queue.isShareable) this.#rotation.add(queue);
    }
    for (const queue of turn.keys()) {
      this.#rotation.delete(queue);
      queue.isRunning = true;
    }
    return turn;
  }
}
