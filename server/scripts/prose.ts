/** A wording that the project does not use, and the one that it uses instead. */
interface Wording {
  /** Case is ignored; a space also matches a line break inside a comment or paragraph. */
  readonly not: string;
  readonly say: string;
}

/** Wordings refused everywhere: in comments, string literals, SQL and Markdown. CONTRIBUTING.md explains them. */
const vocabulary: readonly Wording[] = [
  { not: 'anew', say: '"again", or a verb with "re-"' },
  { not: '(?:is|are|was|were|be|been|being) told', say: '"receives", "is notified"' },
  { not: '(?:tells?|told|speaks?) of', say: '"reports", "describes"' },
  { not: 'work(?:s|ed|ing)? out', say: '"computes", "determines"' },
  { not: 'bec(?:ome|omes|ame) of', say: '"outcome of", "happens to"' },
  { not: 'g(?:ive|ives|ave|iving) way', say: '"yields"' },
  { not: 'whatever', say: '"any", "all", "regardless of"' },
  { not: 'who(?:m|so)?ever', say: '"the caller", "the client"' },
  { not: 'beside', say: '"next to", "during", "compared with"' },
  { not: 'h(?:old|olds|eld|olding) (?:it |them )?against', say: '"compare with", "validate against"' },
  { not: 'by (?:itself|themselves)', say: '"automatically", "unexpectedly", "alone"' },
  { not: '(?:is|are|was|were|be) away', say: '"is unavailable"' },
  { not: 'as (?:it is|they are) now', say: '"current"' },
  { not: 'at the most', say: '"at most"' },
  { not: 'a text', say: '"a string"' },
  { not: 'for good', say: '"permanently"' },
  { not: 'st(?:and|ands|ood) for', say: '"identifies", "represents", "means"' },
  { not: 'st(?:and|ands) in', say: '"is in"' },
  { not: '(?:comes?|brings?|brought|came) along', say: '"includes", "ships with"' },
  { not: 'in the place of', say: '"instead of"' },
  { not: 'puts? right', say: '"repairs", "corrects"' },
  { not: 'goes on', say: '"continues"' },
  { not: 'lets? go of', say: '"releases"' },
];

/** Wordings that some folders still have; `check-prose.ts` names the folders. */
const residue: readonly Wording[] = [
  {
    // Not "of its own brand", where "own" belongs to what follows.
    not: 'of (?:its|their|our) own(?=[.,;:)|\\n]| (?:and|as|at|by|for|from|if|in|is|of|on|or|so|than|that|to|until|when|which|with|without))',
    say: '"its own …", "a separate …", "another …"',
  },
  { not: 'in place of', say: '"instead of"' },
  { not: 'exactly they', say: '"only these"' },
  { not: '(?:of )?the version before', say: '"the previous version"' },
];

/** Words that no doc comment begins with: it begins with a verb, or names the thing. */
const openings: readonly string[] = [
  'As',
  'By',
  'How',
  'Of',
  'Told',
  'What',
  'Whatever',
  'Whether',
  'Who',
  'Whom',
];

/** A place where the prose does not follow the vocabulary. */
interface ProseProblem {
  /** Counts from 1. */
  readonly line: number;
  /** The text as found, on one line. */
  readonly found: string;
  /** The instruction for the writer. */
  readonly say: string;
}

/**
 * Matches a separator between two words of a wording: white space, or a line break with the marker of the
 * next comment line.
 */
const gap = String.raw`(?:[ \t]+|[ \t]*\r?\n[ \t]*(?:(?:\*|//|--|>)[ \t]*)?)`;

const ruleOf = ({ not, say }: Wording) => ({
  pattern: new RegExp(String.raw`(?<![\w/.-])(?:${not.replaceAll(' ', gap)})(?![\w-]|\.\w)`, 'gi'),
  say: `say ${say}`,
});
const rules = vocabulary.map(ruleOf);
const residueRules = residue.map(ruleOf);

const opening = new RegExp(String.raw`/\*\*${gap}(?:${openings.join('|')})\b`, 'g');

/**
 * Finds banned wordings in a source file or document, in the order of their lines. Identifiers and file names do not
 * match: a wording has to stand as words.
 */
export function findProseProblems(text: string): ProseProblem[] {
  const problems = rules.flatMap(({ pattern, say }) => matches(text, pattern, say));
  problems.push(...matches(text, opening, 'begin with a verb, or name the thing'));
  return problems.sort((a, b) => a.line - b.line);
}

/** Finds the wordings that only some folders may still have. */
export function findResidue(text: string): ProseProblem[] {
  return residueRules.flatMap(({ pattern, say }) => matches(text, pattern, say));
}

function matches(text: string, pattern: RegExp, say: string): ProseProblem[] {
  return [...text.matchAll(pattern)].map((match) => ({
    line: text.slice(0, match.index).split('\n').length,
    found: match[0].replace(/\s+/g, ' '),
    say,
  }));
}

const mostWords = 80;
const mostLines = 4;

/** A doc comment with the beginning of the line after it. */
const docComment = /^[ \t]*\/\*\*([\s\S]*?)\*\/\s*(?:export )?(?:default )?((?:async )?function\b)?/gm;

/**
 * Finds doc comments of more than 80 words, and those of functions that describe them in more than four lines, tags such
 * as `@throws` apart.
 */
export function findLongComments(text: string): ProseProblem[] {
  return [...text.matchAll(docComment)].flatMap(([, comment = '', isFunction], index, all) => {
    const lines = comment
      .split('\n')
      .map((line) => line.replace(/^\s*\*?\s*/, '').trim())
      .filter((line) => line !== '');
    const firstTag = lines.findIndex((line) => line.startsWith('@'));
    const described = firstTag === -1 ? lines : lines.slice(0, firstTag);
    const words = lines.join(' ').split(/\s+/).length;
    const say = 'say why in fewer words; measurements go to bench/notes/, reasons to docs/decisions/';
    const line = text.slice(0, all[index]?.index).split('\n').length;
    if (words > mostWords) return [{ line, found: `a comment of ${words} words`, say }];
    if (isFunction !== undefined && described.length > mostLines)
      return [{ line, found: `a function’s comment of ${described.length} lines`, say }];
    return [];
  });
}
