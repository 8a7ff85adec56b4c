/** An integer from 0 to `below - 1`. */
export function randomInt(below: number): number {
  return Math.floor(Math.random() * below);
}

export function randomItem<T>(items: readonly T[]): T {
  return items[randomInt(items.length)] as T;
}

export function chance(probability: number): boolean {
  return Math.random() < probability;
}
