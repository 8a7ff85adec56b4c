import type { RowReader } from '../../input/row-reader.ts';
import type { WantedVersions } from './wanted.ts';

const lengths = { title: 255, short_description: 5_000 } as const;
type VersionField = keyof typeof lengths;

/**
 * Reads the texts of languages: columns such as `title:sv`, or `versions` of JSON as the API has it. A tag that occurs in
 * two forms, as `sv` and `SV`, is a problem.
 */
export function readLanguages(reader: RowReader): WantedVersions {
  const versions: Record<string, { title?: string; short_description?: string }> = {};
  const add = (tag: string, field: VersionField, text: string) => {
    versions[tag] = { ...versions[tag], [field]: text };
  };
  for (const name of reader.names) {
    const [, field, tag] = /^(title|short_description):(.+)$/.exec(name) ?? [];
    if (field === undefined || tag === undefined) continue;
    const text = reader.text(name, lengths[field as VersionField]);
    if (text !== undefined) add(tag, field as VersionField, text);
  }
  for (const [tag, texts] of Object.entries(objectOf(reader, reader.raw('versions'))))
    for (const [field, text] of Object.entries(objectOf(reader, texts)))
      if (field in lengths && typeof text === 'string') add(tag, field as VersionField, text);
      else reader.refuse(`versions.${tag}.${field} is not a title or short_description`);
  const tags = Object.keys(versions);
  if (new Set(tags.map((tag) => tag.toLowerCase())).size < tags.length)
    reader.refuse(`two of the languages ${tags.join(', ')} differ only in case`);
  return versions;
}

function objectOf(reader: RowReader, value: unknown): Record<string, unknown> {
  if (value === undefined) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return reader.refuse('versions is not an object of language tags and texts') ?? {};
}
