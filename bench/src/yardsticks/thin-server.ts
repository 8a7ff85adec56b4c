import process from 'node:process';
import Fastify from 'fastify';
import pg from 'pg';
import { thinDetail, thinList } from './thin-statements.ts';

/**
 * The thin server, in its own process: the same HTTP framework and one prepared statement on one pipelined connection,
 * without keys, limits, validation or log.
 */
const client = new pg.Client({
  connectionString: process.env['DATABASE_URL'],
  pipeline: true,
} as pg.ClientConfig);
await client.connect();
const app = Fastify();
const json = 'application/json; charset=utf-8';

app.get<{ Params: { brand: string; tuId: string } }>('/detail/:brand/:tuId', async ({ params }, reply) => {
  const { rows } = await client.query({
    name: 'detail',
    text: thinDetail,
    values: [params.brand, params.tuId],
  });
  return reply.type(json).send(rows[0].body);
});

app.get<{ Params: { brand: string } }>('/list/:brand', async ({ params }, reply) => {
  const { rows } = await client.query({ name: 'list', text: thinList(50), values: [params.brand] });
  return reply.type(json).send(rows[0].body);
});

process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
process.once('SIGTERM', () => process.exit(0));
