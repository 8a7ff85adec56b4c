import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import sql from 'highlight.js/lib/languages/sql';
import { escapeHtml } from '../docs/html.ts';

/** The languages of the guides' code blocks, by the names that stand there. */
const languages = { sh: bash, http, js: javascript, json, ndjson: json, python, sql };

for (const [name, language] of Object.entries(languages)) highlighter.registerLanguage(name, language);

/** Returns code as HTML with its words marked by class; in other languages, as text. */
export function highlight(code: string, language: string): string {
  if (!Object.hasOwn(languages, language)) return escapeHtml(code);
  return highlighter.highlight(code, { language, ignoreIllegals: true }).value;
}
