import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';

// Secrets that the tests create are collected in a file of the run. At the end no log line may contain one.

const minLength = 8;

/** Registers a secret of this run. For an API key only the secret half counts: its public id may be logged. */
export function registerCanary(secret: string): void {
  const file = process.env['BRANDPORT_TEST_CANARIES'];
  const canary = /^tuk_[0-9a-f]{24}\.(.+)$/.exec(secret)?.[1] ?? secret;
  if (canary.length < minLength) throw new Error('a secret this short would be found everywhere');
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(canary)}\n`);
}

/** Registers the secrets that a response of the internal surface shows once: new API keys and feed tokens. */
export function registerSecretsOf(body: unknown): void {
  if (typeof body !== 'object' || body === null) return;
  for (const name of ['api_key', 'token']) {
    const secret = (body as Record<string, unknown>)[name];
    if (typeof secret === 'string') registerCanary(secret);
  }
}

export function readCanaries(file: string): string[] {
  return [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))].map((line) => JSON.parse(line));
}

/**
 * Returns a function that finds a secret in a line, or null: as plain text, or as the bytes, hexadecimal or base64 form
 * in which a logger prints a buffer or a header.
 */
export function createLeakFinder(secrets: readonly string[]): (line: string) => string | null {
  // There are thousands of secrets and millions of characters, so secrets are indexed by their first characters.
  const byStart = new Map<string, { secret: string; form: string }[]>();
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      const start = form.slice(0, minLength);
      byStart.set(start, [...(byStart.get(start) ?? []), { secret, form }]);
    }
  }
  return (line) => {
    for (let at = 0; at + minLength <= line.length; at += 1) {
      const candidates = byStart.get(line.slice(at, at + minLength));
      const found = candidates?.find(({ form }) => line.startsWith(form, at));
      if (found !== undefined) return found.secret;
    }
    return null;
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const forms = [secret, json, encodeURIComponent(secret), bytes.toString('hex'), [...bytes].join(',')];
  // Within a longer string the base64 form has one of three alignments.
  for (const shift of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    forms.push(encoded.slice(shift === 0 ? 0 : shift + 1, -2));
  }
  return [...new Set(forms)].filter((form) => form.length >= minLength);
}
