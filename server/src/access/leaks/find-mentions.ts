import { invalidField } from '../../errors/api-error.ts';
import type { Mention } from './leak.ts';
import { secretKinds } from './secret-kinds.ts';

/** The most ids and secrets in one string. */
export const maxMentions = 500;

interface PlacedMention extends Mention {
  readonly at: number;
  readonly secrets: Set<string>;
}

/**
 * Finds the ids and secrets in a string, in order of their first place, each once. Linear: 1 MiB takes some milliseconds.
 * @throws ApiError `validation_failed` on `text` for more than `maxMentions`
 */
export function findMentions(text: string): Mention[] {
  const found = new Map<string, PlacedMention>();
  for (const { kind, pattern } of secretKinds)
    for (const { index: at, 1: name = '', 2: secret } of text.matchAll(new RegExp(pattern, 'g'))) {
      const mention = found.get(name) ?? { kind, name, at, secrets: new Set() };
      found.set(name, mention);
      if (found.size > maxMentions)
        throw invalidField('text', `must have at most ${maxMentions} different keys and tokens`);
      if (secret !== undefined && mention.secrets.size < maxMentions) mention.secrets.add(secret);
    }
  return [...found.values()].sort((a, b) => a.at - b.at);
}
