import type { FastifySchemaValidationError } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import { messageOf } from './field-messages.ts';

/** At most this many fields are listed [platform-18]. */
const maxFields = 100;

/** A problem that the validator has found, with the value that has it. */
export type Finding = FastifySchemaValidationError & { readonly data?: unknown };

/** Converts the validator's findings to `validation_failed`. `part` names the whole body, query or path. */
export function validationFailed(findings: readonly Finding[], part: string): ApiError {
  const errors = new Map<string, string[]>();
  for (const finding of findings) {
    // The finding about the key itself already reports the problem.
    if (finding.keyword === 'propertyNames') continue;
    const field = fieldOf(finding, part);
    const messages = errors.get(field);
    const message = (part === 'query' ? queryMessageOf(finding) : undefined) ?? messageOf(finding);
    if (messages !== undefined) {
      if (!messages.includes(message)) messages.push(message);
    } else if (errors.size < maxFields) errors.set(field, [message]);
  }
  return new ApiError('validation_failed', { errors: Object.fromEntries(errors) });
}

/** Names the field of a finding: `/axes/0/code`, and a missing or malformed key `code` of `/axes/0`, are all `axes.0.code`. */
function fieldOf(finding: Finding, part: string): string {
  const path = finding.instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty, additionalProperty } = finding.params as Record<string, unknown>;
  // For a finding about a key instead of its value, the validator reports the key outside of `params`.
  const { propertyName } = finding as { propertyName?: unknown };
  for (const property of [missingProperty, propertyName, additionalProperty])
    if (typeof property === 'string') path.push(property);
  return path.length === 0 ? part : path.join('.').slice(0, 500);
}

function unescapePointer(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Returns the message for a string that a query cannot have; undefined: that of the rule. */
function queryMessageOf({ keyword, params, data }: Finding): string | undefined {
  if (Array.isArray(data)) return 'must be given once';
  const isBoolean =
    keyword === 'type' && [(params as { type: string | string[] }).type].flat().includes('boolean');
  return isBoolean ? 'must be true, false, 1 or 0' : undefined;
}
