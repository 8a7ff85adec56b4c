// nightly: builds clients with the generators of other languages
import { before, describe, it } from 'node:test';
import {
  compileJourneys,
  generateClients,
  importJourney,
  removeGeneratedClients,
} from '../support/generated-clients.ts';
import { sendHttp } from '../support/http-client.ts';
import { processAdminToken, startServerProcess } from '../support/server-process.ts';

const { clientUrl, internalUrl } = await startServerProcess();
const service = { clientUrl, internalUrl, adminToken: processAdminToken };

describe('clients that are generated from the served documents', () => {
  before(async () => {
    await removeGeneratedClients();
    await generateClients('client', (await sendHttp(`${clientUrl}/openapi.json`)).text);
    await generateClients('internal', (await sendHttp(`${internalUrl}/internal/openapi.json`)).text);
  });

  it('compile strictly, with a journey on each that narrows unions and errors', compileJourneys);

  for (const name of ['openapi-fetch', 'hey-api'])
    it(`carry the journey on ${name} from the first brand to the last report`, async () => {
      const journey = await importJourney(name);
      await journey.run(service);
    });
});
