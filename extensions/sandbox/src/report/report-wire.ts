import { type Static, Type } from 'typebox';
import { examine, type Finding } from './examine.ts';
import type { Exchange } from './exchange.ts';

const FindingWire = Type.Object({
  mistake: Type.String(),
  key_id: Type.String(),
  text: Type.String(),
  count: Type.Integer(),
  request_ids: Type.Array(Type.String(), { description: 'The first ten.' }),
  guide: Type.String({ description: 'The page that says what to do instead.' }),
});

export const ReportWire = Type.Object({
  requests: Type.Integer({ description: 'Those that were looked at: the newest 10,000.' }),
  findings: Type.Array(FindingWire),
});

export function reportToWire(exchanges: readonly Exchange[]): Static<typeof ReportWire> {
  const findings = examine(exchanges).map(({ keyId, requestIds, ...rest }: Finding) => ({
    ...rest,
    key_id: keyId,
    request_ids: [...requestIds],
  }));
  return { requests: exchanges.length, findings };
}

/** Returns a report for people. `address` is that of the guides. */
export function reportText({ requests, findings }: Static<typeof ReportWire>, address: string): string {
  if (findings.length === 0) return `\nNo mistakes in ${requests} requests.\n`;
  const paragraphs = findings.map(
    ({ text, key_id, request_ids, guide }) =>
      `- ${text}\n  key ${key_id}, requests ${request_ids.join(', ')}\n  ${address}${guide}\n`,
  );
  return `\n${findings.length} findings in ${requests} requests:\n\n${paragraphs.join('\n')}`;
}
