export const number: Intl.NumberFormat = new Intl.NumberFormat('en-US');

/** Returns `1 line`, `2,000 lines`. */
export function quantity(count: number, noun: string): string {
  return `${number.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns a time as `less than a minute`, `about 83 min` or `about 27.8 h`. */
export function duration(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `about ${minutes} min`;
  return `about ${(minutes / 60).toFixed(1).replace(/\.0$/, '')} h`;
}
