import { type Static, Type } from 'typebox';
import { invalidField } from '../../../../server/src/errors/api-error.ts';
import { clientDomains } from '../../../../server/src/http/operations.ts';
import { type FaultRule, faultForm, parseFault } from './fault-rules.ts';

const rule = {
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'An operationId of the client API; absent: all.' }),
  ),
  share: Type.Optional(
    Type.Number({ minimum: 0, maximum: 1, description: 'The share of requests, drawn with the seed.' }),
  ),
  every: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Every n-th request; default: 1.' }),
  ),
  fault: Type.String({ maxLength: 100, description: 'As in the header `Brandport-Fault`.' }),
};
const brand = Type.Optional(Type.Integer({ minimum: 1, description: 'Absent: the rules of all brands.' }));
const seed = Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Default: 0.' }));
const rules = Type.Array(Type.Object(rule), { maxItems: 100 });

export const ReplaceFaultsBody = Type.Object({ brand_id: brand, seed, rules });
export const FaultsWire = Type.Object({ brand_id: brand, seed, rules });

const operations = new Set(clientDomains.flatMap((domain) => domain.operations.map(({ id }) => id)));

/** @throws ApiError `validation_failed` */
export function faultRulesFromWire(body: Static<typeof ReplaceFaultsBody>): FaultRule[] {
  return body.rules.map(({ operation = null, share = null, every, fault: text }, index) => {
    const field = (name: string) => `rules.${index}.${name}`;
    if (operation !== null && !operations.has(operation))
      throw invalidField(field('operation'), 'must be the operationId of an operation of the client API');
    if (share !== null && every !== undefined)
      throw invalidField(field('every'), 'must not be sent together with share');
    const fault = parseFault(text);
    if (fault === null) throw invalidField(field('fault'), faultForm);
    return { operation, share, every: every ?? 1, fault };
  });
}
