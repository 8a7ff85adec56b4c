import {
  maxIgnored,
  type UnknownName,
  type UnknownNameReport,
  unknownName,
  unknownNameFinder,
  unknownNameMessage,
} from '../../api/unknown-names.ts';
import { ApiError } from '../../errors/api-error.ts';
import { LearningEventWire } from './event-wire.ts';

const namedEvents = 1_000;

const find = unknownNameFinder(LearningEventWire);

/**
 * Finds unknown names in a request with events [platform-25] [D74]: by default, those of the first 1,000 are listed. Under
 * strict handling, every event with one is rejected, since a bad event never blocks valid ones; a name next to `items` rejects
 * the request.
 */
export class EventNames {
  readonly #report: UnknownNameReport;
  readonly #prefix: readonly string[];
  #found: UnknownName[] = [];

  /** `prefix`: the text before the index of an event: `items` in a JSON body, empty for lines. */
  constructor(report: UnknownNameReport, prefix: readonly string[]) {
    this.#report = report;
    this.#prefix = prefix;
  }

  /** @throws ApiError `validation_failed` for each of the names, under strict handling */
  besideItems(names: readonly string[]): void {
    const unknown = names.map((name) => unknownName([name], name, ['items']));
    if (this.#report.isStrict && unknown.length > 0) {
      const errors = unknown.map((name) => [name.path, [unknownNameMessage(name)]]);
      throw new ApiError('validation_failed', { errors: Object.fromEntries(errors) });
    }
    this.#found = unknown.slice(0, maxIgnored);
  }

  rejectionOf(index: number, event: unknown): string | null {
    if (this.#report.isStrict) {
      const [unknown] = find(event, 1);
      return unknown === undefined ? null : `${unknown.path} ${unknownNameMessage(unknown)}`;
    }
    if (index < namedEvents && this.#found.length < maxIgnored)
      for (const { path, name, known } of find(event, maxIgnored - this.#found.length))
        this.#found.push(unknownName([...this.#prefix, index, path], name, known));
    return null;
  }

  tell(): void {
    this.#report.ignored(this.#found);
  }
}
