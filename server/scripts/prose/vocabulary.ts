/** A wording that the project does not use, and the one that it uses instead. */
export interface Wording {
  /** Case is ignored; a space also matches a line break inside a comment or paragraph. */
  readonly not: string;
  readonly say: string;
}

/** Wordings refused everywhere: in comments, string literals, SQL and Markdown. CONTRIBUTING.md explains them. */
export const vocabulary: readonly Wording[] = [
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
export const residue: readonly Wording[] = [
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
export const openings: readonly string[] = [
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
