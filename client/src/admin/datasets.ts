import type {
  AggregatedDay,
  Aggregation,
  AggregationCreate,
  AggregationJob,
  DatasetDay,
  DatasetDayDetail,
  DatasetLag,
  EventsTaken,
  LearningEvent,
  ListAggregatedDaysQuery,
  ListDatasetDaysQuery,
  ListDatasetLagsQuery,
  PageMeta,
} from '../generated/internal-wire.ts';
import { offsetPages, type PageOptions, type Pages } from '../pages.ts';
import { AdminResource } from '../resource.ts';
import type { Call } from '../transport/attempt.ts';
import type { CallOptions, WriteOptions } from '../transport/client-options.ts';

/** Learning events and the datasets that are aggregated from them. */
export class Datasets extends AdminResource {
  /**
   * Sends events as a stream. Events that the service knows already count as duplicates, so that a retry, which sends all
   * events again, changes nothing. A stream has at most 64 MiB, some 250,000 events; send more in several calls. `timeoutMs`
   * has to suffice for the whole stream.
   * @param events returns the events of one attempt
   */
  postEvents(
    brandId: number,
    events: () => Iterable<LearningEvent> | AsyncIterable<LearningEvent>,
    options?: CallOptions,
  ): Call<EventsTaken> {
    const stream = { contentType: 'application/x-ndjson', body: () => ndjsonStream(events()) };
    return this.api.call('postLearningEvents', [brandId], { stream, isRepeatable: true }, options);
  }

  /** Aggregates days, now or, if there are many, in a job. */
  aggregate(
    brandId: number,
    body: AggregationCreate,
    options?: WriteOptions,
  ): Call<Aggregation | AggregationJob> {
    return this.api.call('aggregateDays', [brandId], { body }, options);
  }

  /** Returns the aggregated days, newest first. */
  listDays(
    brandId: number,
    query?: ListAggregatedDaysQuery,
    options?: PageOptions,
  ): Pages<AggregatedDay, PageMeta> {
    return offsetPages(this.api, 'listAggregatedDays', [brandId], { query, options });
  }

  /** Lists every day of a range, newest first, aggregated or not. */
  calendar(
    brandId: number,
    query?: ListDatasetDaysQuery,
    options?: PageOptions,
  ): Pages<DatasetDay, PageMeta> {
    return offsetPages(this.api, 'listDatasetDays', [brandId], { query, options });
  }

  /** Returns the figures of a day as they are served, and its last ten revisions with what caused them. */
  day(
    brandId: number,
    dataset: DatasetDayDetail['dataset'],
    day: string,
    options?: CallOptions,
  ): Call<DatasetDayDetail> {
    return this.api.call('getDatasetDay', [brandId, dataset, day], {}, options);
  }

  /** Lists the brands, those whose datasets are furthest behind first. */
  lag(query?: ListDatasetLagsQuery, options?: PageOptions): Pages<DatasetLag, PageMeta> {
    return offsetPages(this.api, 'listDatasetLags', [], { query, options });
  }
}

const linesPerChunk = 500;

/** Encodes values as NDJSON while the stream is read, in chunks of 500 lines. */
function ndjsonStream(values: Iterable<unknown> | AsyncIterable<unknown>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = (async function* () {
    yield* values;
  })();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const lines: string[] = [];
      while (lines.length < linesPerChunk) {
        const { value, done } = await iterator.next();
        if (done === true) break;
        lines.push(`${JSON.stringify(value)}\n`);
      }
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
      if (lines.length < linesPerChunk) controller.close();
    },
    async cancel() {
      await iterator.return();
    },
  });
}
