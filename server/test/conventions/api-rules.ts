import type { Rule } from './source-file.ts';

/** Exported schemas are named after their part of the exchange. */
export const schemaNameRule: Rule = ({ path, text }) => {
  if (!path.endsWith('-wire.ts')) return [];
  return [...text.matchAll(/^export const ([A-Z]\w*) = (?:Type\.|NamedObject\(|itemsOf\()/gm)]
    .map(([, name]) => name as string)
    .filter((name) => !/(Wire|Body|Params|Query|Headers|Id)$/.test(name))
    .map((name) => `${name} is not named as a body, parameters, a query, headers or Wire`);
};

/**
 * An operation is a constant `<id>Operation`. Its request body is `<Id>Body` of an operation in its file, its responses are
 * `<Thing>Wire` or lists of such.
 */
export const operationRule: Rule = ({ path, text }) => {
  if (/(^|\/)tests?\//.test(path)) return [];
  const operations = [
    ...text.matchAll(
      /^(?:export )?const (\w+) = [\w<>().]*(?:[oO]peration|clientWrite)(?:<[^>]*>)?\(\{\s*id: '(\w+)'/gm,
    ),
  ];
  if (operations.length === 0) return [];
  const ids = operations.map(([, , id]) => id as string);
  const findings = operations
    .filter(([, name, id]) => name !== `${id}Operation`)
    .map(([, name, id]) => `${name} is not named ${id}Operation`);
  for (const [, body] of text.matchAll(/^ {2}body: (\w+),/gm))
    if (!ids.some((id) => body === `${id[0]?.toUpperCase()}${id.slice(1)}Body`))
      findings.push(`takes ${body}, which is not named after ${ids.join(' or ')}`);
  for (const [, schema] of text.matchAll(/\bschema: ([^{,\n][^,\n]*(?:, '\w+'\))?)/g))
    if (!/^(\w+Wire|(list|keysetList)Of\(\w+Wire, '\w+'\))( \}.*)?$/.test((schema as string).trim()))
      findings.push(`responds ${schema}, which is not a Wire schema`);
  if (/^ {2}(async )?handle\(/m.test(text))
    findings.push('has a method `handle`; write `handle: async (…) => {`');
  return findings;
};
