import { TurnError } from '../../lib/limit-wait.ts';
import { isShareable, type WriteRequest } from './write-request.ts';

/** Further requests of one lane are refused at once: they would only fill the memory. */
const maxWaitingPerLane = 1_000;

export interface Waiting {
  readonly write: WriteRequest;
  /** The request has to run in a separate transaction: one that it shared has failed. */
  mustBeAlone: boolean;
  /** Ends the wait of the request without running it. */
  readonly giveUp: (reason: unknown) => void;
  /** Removes the timer and the listener; the request no longer waits. */
  readonly leave: () => void;
}

interface Lane {
  readonly name: string;
  readonly waiting: Waiting[];
  isBusy: boolean;
  /** A set found the brand's lock taken: the next set of the lane waits for it, alone. */
  isBlocked: boolean;
}

export interface TakenSet {
  readonly lanes: readonly Lane[];
  readonly members: readonly Waiting[];
}

/**
 * The requests of this process that wait to write. Each brand and lock has a lane, which is served in order of arrival and has
 * one transaction at a time; lanes take turns [platform-76].
 */
export class WriteLine {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes with waiting requests and no transaction, the next one first: those whose next request may share, and others. */
  readonly #shareable = new Set<Lane>();
  readonly #alone = new Set<Lane>();

  get waiting(): number {
    let sum = 0;
    for (const { waiting } of this.#lanes.values()) sum += waiting.length;
    return sum;
  }

  /** Returns whether the requests that may share wait in one lane. */
  get isOfOneLane(): boolean {
    return this.#shareable.size === 1;
  }

  isBusy(lane: string): boolean {
    return this.#lanes.get(lane)?.isBusy === true;
  }

  isBlocked(lane: string): boolean {
    return this.#lanes.get(lane)?.isBlocked === true;
  }

  /** @throws TurnError if too many requests of the lane are waiting */
  add(name: string, item: Waiting): void {
    const lane = this.#lanes.get(name) ?? { name, waiting: [], isBusy: false, isBlocked: false };
    if (lane.waiting.length >= maxWaitingPerLane)
      throw new TurnError(`${maxWaitingPerLane} writes of the brand are already waiting`);
    lane.waiting.push(item);
    this.#lanes.set(name, lane);
    if (lane.waiting.length === 1) this.#sort(lane);
  }

  remove(name: string, item: Waiting): void {
    const lane = this.#lanes.get(name);
    const index = lane?.waiting.indexOf(item) ?? -1;
    if (lane === undefined || index === -1) return;
    lane.waiting.splice(index, 1);
    if (index === 0) this.#sort(lane);
  }

  /** Takes the next request that must be alone, or the next of a blocked lane that share; null if there is none. */
  takeAlone(most: number): TakenSet | null {
    const [lane] = this.#alone;
    if (lane === undefined) return null;
    const [first] = lane.waiting as [Waiting];
    const members = [this.#takeFrom(lane)];
    if (mayShare(first)) this.#fill([lane], members, most);
    return { lanes: [lane], members };
  }

  /** Takes up to `most` requests of one operation, from as many lanes as possible; null if none is waiting. */
  takeShared(most: number): TakenSet | null {
    const [first] = this.#shareable;
    if (first === undefined) return null;
    const operation = first.waiting[0]?.write.operation;
    const lanes: Lane[] = [];
    const members: Waiting[] = [];
    for (const lane of this.#shareable) {
      if (members.length === most) break;
      if (lane.waiting[0]?.write.operation !== operation) continue;
      lanes.push(lane);
      members.push(this.#takeFrom(lane));
    }
    this.#fill(lanes, members, most);
    return { lanes, members };
  }

  /** Puts requests back in front of their lanes, which are still busy. Call it in the reverse of their order. */
  putBack(name: string, item: Waiting, { isBlocked }: { readonly isBlocked: boolean }): void {
    const lane = this.#lanes.get(name) as Lane;
    lane.waiting.unshift(item);
    lane.isBlocked ||= isBlocked;
  }

  /** Notes that a set waits for the lock of its lanes, and returns the requests that wait behind it. */
  block({ lanes }: TakenSet): Waiting[] {
    for (const lane of lanes) lane.isBlocked = true;
    return lanes.flatMap(({ waiting }) => waiting);
  }

  /** Notes that the set has the lock of its lanes no more. */
  unblock({ lanes }: TakenSet): void {
    for (const lane of lanes) lane.isBlocked = false;
  }

  /** Ends the transaction of the lanes. Those with waiting requests go to the end of the rotation. */
  release({ lanes }: TakenSet): void {
    for (const lane of lanes) {
      lane.isBusy = false;
      this.#sort(lane);
    }
  }

  /** Adds more requests of the operation, in rounds over the lanes. */
  #fill(lanes: readonly Lane[], members: Waiting[], most: number): void {
    const operation = members[0]?.write.operation;
    for (let before = -1; before < members.length && members.length < most; ) {
      before = members.length;
      for (const lane of lanes) {
        const [next] = lane.waiting;
        if (members.length === most) break;
        if (next !== undefined && mayShare(next) && next.write.operation === operation)
          members.push(this.#takeFrom(lane));
      }
    }
  }

  #takeFrom(lane: Lane): Waiting {
    const item = lane.waiting.shift() as Waiting;
    item.leave();
    lane.isBusy = true;
    this.#shareable.delete(lane);
    this.#alone.delete(lane);
    return item;
  }

  #sort(lane: Lane): void {
    this.#shareable.delete(lane);
    this.#alone.delete(lane);
    if (lane.isBusy) return;
    const [next] = lane.waiting;
    if (next === undefined) this.#lanes.delete(lane.name);
    else if (lane.isBlocked || !mayShare(next)) this.#alone.add(lane);
    else this.#shareable.add(lane);
  }
}

function mayShare({ write, mustBeAlone }: Waiting): boolean {
  return !mustBeAlone && isShareable(write);
}
