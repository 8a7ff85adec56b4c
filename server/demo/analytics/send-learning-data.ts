import { requireStatus } from '../client/api-client.ts';
import type { DemoBrand } from '../client/demo-brand.ts';
import type { DataSetRun } from '../data-sets/data-set.ts';
import type { Step } from '../report.ts';
import type { ExpectedIntake } from './expected/expected-datasets.ts';
import type { LearningData, LearningEvent } from './learning-data.ts';

const itemsPerCall = 10_000;
/** The number of events in a request. All events would fit into one, but its response comes only at the end. */
const eventsPerRequest = 100_000;
const eventsTimeoutMs = 15 * 60_000;

/** Adds markets, learners and contents to the brand's directory. */
export async function sendDirectory(
  run: DataSetRun,
  brand: DemoBrand,
  { markets, users, contents }: LearningData,
): Promise<void> {
  const total = markets.length + users.length + contents.length;
  await run.step(brand, 'directory', total, async (step) => {
    for (const [list, all] of Object.entries({ markets, users, contents }))
      for (let start = 0; start < all.length; start += itemsPerCall) {
        const items = all.slice(start, start + itemsPerCall);
        const path = `/brands/${brand.id}/${list}`;
        const answer = await brand.admin.request<{ upserted: number }>('PUT', path, { body: { items } });
        requireStatus(answer, 200, `PUT ${path}`);
        if (answer.json.upserted !== items.length)
          step.differs(`${list}: ${answer.json.upserted} upserted of ${items.length}`);
        step.advance(items.length);
      }
  });
}

interface IntakeAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly excluded: number;
  readonly rejected: readonly { readonly index: number; readonly message: string }[];
}

export interface EventsToSend {
  readonly expected: ExpectedIntake;
  /** True if the events were sent before: all that counted are duplicates then. */
  readonly again?: boolean;
}

/** Sends all events as streams of NDJSON. */
export async function sendEvents(
  run: DataSetRun,
  brand: DemoBrand,
  data: LearningData,
  { expected: intake, again = false }: EventsToSend,
): Promise<void> {
  const { accepted, excluded, rejected } = intake;
  const total = accepted + excluded + rejected.length;
  await run.step(brand, again ? 'events again' : 'events', total, async (step) => {
    const sum = { accepted: 0, duplicates: 0, excluded: 0 };
    const refused: number[] = [];
    for (let start = 0; start < total; start += eventsPerRequest) {
      const lines = slice(data, start, step);
      const path = `/brands/${brand.id}/events`;
      const answer = await brand.admin.request<IntakeAnswer>('POST', path, {
        lines,
        timeoutMs: eventsTimeoutMs,
      });
      requireStatus(answer, 200, `POST ${path}`);
      for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += answer.json[name];
      refused.push(...answer.json.rejected.map(({ index }) => start + index));
    }
    const expected = { accepted: again ? 0 : accepted, duplicates: again ? accepted : 0, excluded };
    for (const name of Object.keys(sum) as (keyof typeof sum)[])
      if (sum[name] !== expected[name]) step.differs(`${name}: ${sum[name]}, not ${expected[name]}`);
    if (refused.join() !== rejected.join())
      step.differs(`rejected: events ${refused.slice(0, 10)}, not ${rejected.slice(0, 10)}`);
  });
}

/** Yields the events of one request and updates the progress of the step. */
function* slice(data: LearningData, start: number, step: Step): Generator<LearningEvent> {
  let index = -1;
  for (const { event } of data.events()) {
    index++;
    if (index < start) continue;
    if (index >= start + eventsPerRequest) return;
    yield event;
    step.advance();
  }
}
