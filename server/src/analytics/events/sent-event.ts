import { isCalendarDay, parseInstant } from '../../lib/instant.ts';
import { isNestedDeeperThan } from '../../lib/parse-json.ts';
import { isStorableText } from '../../lib/text.ts';
import { earliestDay } from '../day.ts';
import { type EventKind, eventKinds } from '../store/engine.ts';

const zero = 0x30;

/** Equals `parseInstant`, several times as fast for the usual form: UTC with a `Z`, to the second or the millisecond. */
export function parseSentInstant(text: string): Date | null {
  const hasMillis = text.length === 24 && text[19] === '.';
  const isUsual =
    (hasMillis || text.length === 20) &&
    text.endsWith('Z') &&
    text[4] === '-' &&
    text[7] === '-' &&
    text[10] === 'T' &&
    text[13] === ':' &&
    text[16] === ':';
  if (!isUsual) return parseInstant(text);
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const millis = hasMillis ? digits(text, 20, 3) : 0;
  // NaN fails every comparison. Date.UTC maps years below 100 to another century.
  const isPlain = year >= 100 && hour <= 23 && minute <= 59 && second <= 59 && millis >= 0;
  if (!isPlain || !isCalendarDay(year, month, day)) return parseInstant(text);
  return new Date(Date.UTC(year, month - 1, day, hour, minute, second, millis));
}

/** The value of the digits; NaN if one of them is not a digit. */
function digits(text: string, start: number, count: number): number {
  let number = 0;
  for (let i = start; i < start + count; i += 1) {
    const digit = text.charCodeAt(i) - zero;
    if (digit < 0 || digit > 9) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

/** A validated learning event with its defaults [internal-36]. */
export interface SentEvent {
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly kind: EventKind;
  /** tu_ids of the directory. */
  readonly user: string;
  readonly content: { readonly type: string; readonly tuId: string };
  /** null: the learner's market. */
  readonly market: string | null;
  /** 0 to 100. */
  readonly progress: number | null;
  readonly score: number | null;
  readonly questions: number | null;
  readonly answered: number | null;
  readonly timeSpentSeconds: number;
  readonly xpEarned: number;
}

/** The event itself is the first level. */
export const maxLevels = 64;
const aheadMs = 24 * 60 * 60 * 1000;
/** A date before is one that was not set: the first one of .NET, of Unix or of a clock without a battery. */
const earliest = Date.parse(`${earliestDay}T00:00:00Z`);
const maxInt4 = 2_147_483_647;
const tuIdForm = /^[A-Za-z0-9_-]{1,64}$/;
const contentTypeForm = /^[a-z_]{1,32}$/;

/** Returns the reason to reject a value before anything walks through it; null: there is none. */
export function nestingProblem(value: unknown): string | null {
  return isNestedDeeperThan(value, maxLevels) ? `must be nested at most ${maxLevels} levels deep` : null;
}

/**
 * Returns the event, or the reason for a rejection. Written by hand because it runs for each of a million lines. Unknown keys
 * are never stored. `now`: milliseconds since the Unix epoch.
 */
export function readSentEvent(value: unknown, now: number): SentEvent | string {
  if (!isRecord(value)) return 'must be an object';
  const { event_id, occurred_at, kind, user, content, market, progress, score, questions, answered } = value;
  if (typeof event_id !== 'string' || !isTextOf(event_id, 64))
    return 'event_id must be a string of 1 to 64 characters';
  const occurredAt = typeof occurred_at === 'string' ? parseSentInstant(occurred_at) : null;
  if (occurredAt === null) return 'occurred_at must be a date-time with an offset';
  if (occurredAt.getTime() > now + aheadMs) return 'occurred_at is more than 24 hours ahead';
  if (occurredAt.getTime() < earliest) return 'occurred_at is before 2000-01-01T00:00:00Z';
  if (!isEventKind(kind)) return `kind must be one of ${eventKinds.join(', ')}`;
  if (!isTuId(user)) return 'user must be a tu_id';
  if (!isRecord(content) || typeof content['type'] !== 'string' || !contentTypeForm.test(content['type']))
    return 'content.type must match [a-z_]{1,32}';
  if (!isTuId(content['tu_id'])) return 'content.tu_id must be a tu_id';
  if (market !== undefined && !isTuId(market)) return 'market must be a tu_id';
  if (progress !== undefined && kind !== 'view') return 'progress is only allowed for a view';
  if (progress !== undefined && !isShare(progress)) return 'progress must be a number from 0 to 100';
  if (kind === 'quiz' ? !isShare(score) : score !== undefined)
    return kind === 'quiz' ? 'score must be a number from 0 to 100' : 'score is only allowed for a quiz';
  if ((questions !== undefined || answered !== undefined) && kind !== 'quiz')
    return 'questions and answered are only allowed for a quiz';
  if ((questions === undefined) !== (answered === undefined))
    return 'questions and answered must be sent together';
  if (questions !== undefined && !(isCount(questions) && isCount(answered) && answered <= questions))
    return 'questions and answered must be integers, 0 <= answered <= questions';
  const { time_spent_seconds = 0, xp_earned = 0 } = value;
  if (!isCount(time_spent_seconds)) return `time_spent_seconds must be an integer from 0 to ${maxInt4}`;
  if (!isCount(xp_earned)) return `xp_earned must be an integer from 0 to ${maxInt4}`;
  return {
    eventId: event_id,
    occurredAt,
    kind,
    user,
    content: { type: content['type'], tuId: content['tu_id'] },
    market: market ?? null,
    progress: isShare(progress) ? boundedShare(progress) : null,
    score: isShare(score) ? boundedShare(score) : null,
    questions: isCount(questions) ? questions : null,
    answered: isCount(answered) ? answered : null,
    timeSpentSeconds: time_spent_seconds,
    xpEarned: xp_earned,
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Counts code points, as PostgreSQL does; a string within the limit in UTF-16 units is always within it. */
function isTextOf(text: string, max: number): boolean {
  return (
    text !== '' &&
    (text.length <= max || (text.length <= 2 * max && [...text].length <= max)) &&
    isStorableText(text)
  );
}

function isEventKind(value: unknown): value is EventKind {
  return eventKinds.some((kind) => kind === value);
}

function isTuId(value: unknown): value is string {
  return typeof value === 'string' && tuIdForm.test(value);
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxInt4;
}

const places = 6;
const scale = 10 ** places;

/**
 * Cuts a number from 0 to 100 off after 6 decimal places, so that every store keeps it and its sums exactly [internal-36]. Not
 * rounded: a cut value lies on the same side of every half of a hundredth, so figures stay the same.
 */
export function boundedShare(value: number): number {
  if (Math.round(value * scale) / scale === value) return value;
  // The shortest decimal, which is the number as it was sent. Below 10^-6 it has an exponent.
  const text = String(value);
  return text.includes('e') ? 0 : Number(text.slice(0, text.indexOf('.') + 1 + places));
}

export interface RejectedEvent {
  /** 0-based item or line. */
  readonly index: number;
  readonly message: string;
}

/** The outcome of the events of a request. */
export interface EventsTaken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly excluded: number;
  readonly rejected: RejectedEvent[];
  readonly rejected_count: number;
}
