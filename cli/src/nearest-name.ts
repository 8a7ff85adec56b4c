/**
 * Returns the known name with the fewest letters to change, add, remove or swap; of equally near names, the first. Null if
 * more than a third of the letters differ: then nothing was misspelt.
 */
export function nearestName(given: string, known: readonly string[]): string | null {
  const wanted = given.slice(0, 64).toLowerCase();
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const changes = spellingDistance(wanted, name);
    if (changes < fewest) [nearest, fewest] = [name, changes];
  }
  return fewest <= Math.max(1, Math.ceil(wanted.length / 3)) ? nearest : null;
}

function spellingDistance(a: string, b: string): number {
  let older: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let row = 1; row <= a.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= b.length; at += 1) {
      const isSame = a[row - 1] === b[at - 1];
      const isSwapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1];
      line[at] = Math.min(
        (above[at] as number) + 1,
        (line[at - 1] as number) + 1,
        (above[at - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (older[at - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [older, above] = [above, line];
  }
  return above[b.length] as number;
}
