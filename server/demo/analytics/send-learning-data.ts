import type { DemoBrand } from '../client/demo-brand.ts';
import { type ApiResponse, requireStatus } from '../client/demo-client.ts';
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
    const { admin, id } = brand;
    const put = async <T>(
      list: string,
      all: readonly T[],
      send: (items: readonly T[]) => Promise<Answer>,
    ) => {
      for (let start = 0; start < all.length; start += itemsPerCall) {
        const items = all.slice(start, start + itemsPerCall);
        const answer = await send(items);
        requireStatus(answer, 200, `PUT /brands/${id}/${list}`);
        if (answer.json.upserted !== items.length)
          step.differs(`${list}: ${answer.json.upserted} upserted of ${items.length}`);
        step.advance(items.length);
      }
    };
    await put('markets', markets, (items) =>
      admin.send(({ directory }, call) => directory.putMarkets(id, { items }, call)),
    );
    await put('users', users, (items) =>
      admin.send(({ directory }, call) => directory.putLearners(id, { items }, call)),
    );
    await put('contents', contents, (items) =>
      admin.send(({ directory }, call) => directory.putContents(id, { items }, call)),
    );
  });
}

type Answer = ApiResponse<{ readonly upserted: number }>;

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
      const events = () => slice(data, start, step);
      const answer = await brand.admin.send(({ datasets }, call) =>
        // Sent again, the events that had arrived would count as duplicates.
        datasets.postEvents(brand.id, events, { ...call, timeoutMs: eventsTimeoutMs, maxRetries: 0 }),
      );
      requireStatus(answer, 200, `POST /brands/${brand.id}/events`);
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
