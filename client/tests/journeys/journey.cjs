/** What an integrator does first, in JavaScript that every runtime understands. */
exports.journey = async ({ Brandport, RateLimited, fileState, isBrandportError }) => {
  const { BRANDPORT_URL: baseUrl, BRANDPORT_API_KEY: apiKey } = process.env;
  const brandport = new Brandport({ baseUrl, apiKey });
  const { products } = brandport.catalog;
  await products.create({ sku: 'A' });
  await products.create({ sku: 'B' });
  const error = await products.create({ sku: 'B' }).catch((failure) => failure);
  if (!isBrandportError(error, 'duplicate_sku')) throw error;
  const changed = [];
  const state = fileState(`state-${apiKey.slice(4, 28)}.json`);
  for await (const { items } of products.changes({ state, follow: false }))
    changed.push(...items.map(({ sku }) => sku));
  const csv = 'sku,location_code,quantity\r\nA,hall,1\r\n';
  const feed = await brandport.feeds.submit({ source: 'csv', csv });
  process.stdout.write(
    JSON.stringify({
      skus: (await products.list({ sort: 'sku', per_page: 1 }).toArray()).map(({ sku }) => sku),
      code: error.code,
      isRateLimited: error instanceof RateLimited,
      changed,
      lines: feed.parts[0].lines,
    }),
  );
};
