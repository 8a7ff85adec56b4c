import { latency, milliseconds, warmUp } from '../bench-context.ts';
import { openFeeds } from '../load/feeds.ts';
import { adjustLoads } from '../loads/write-loads.ts';
import { type Part, ratioOf } from '../part.ts';
import { compare } from '../rounds.ts';
import { samplePlaces, sendQuantities } from './feeds.ts';

/** Few, so that the latency is that of waiting for the feed and not for other adjustments. */
const connections = 4;

/** The p99 of adjustments of brand B while feeds of that brand are applied: both take turns at the brand's stock lock. */
export const adjustsBesideFeed: Part = {
  name: 'feed-adjusts',
  async run(context) {
    const { scale, service, large } = context;
    const places = await samplePlaces(context);
    const feeds = openFeeds(service.clientUrl, large.headers);
    const { oneBrand } = await adjustLoads(context);
    const p99 = () => latency(context, { ...oneBrand, connections }, 'p99');
    const besideFeed = async () => {
      // Two feeds, so that work lasts for the measured time.
      const sent = [await sendQuantities(feeds, places), await sendQuantities(feeds, places)];
      const measured = await p99();
      for (const feedId of sent) await feeds.secondsToApply(feedId);
      return measured;
    };
    await warmUp(context, oneBrand);
    return [
      ratioOf(await compare(scale.rounds, besideFeed, p99), {
        work: `p99 of stock adjusts while a feed of their brand is applied, ${connections} connections`,
        format: milliseconds,
        yardstick: (value) => `the same without a feed ${milliseconds(value)}`,
        target: null,
      }),
    ];
  },
};
