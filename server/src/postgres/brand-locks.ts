/**
 * The first numbers of two-key advisory locks; the second is the brand. Each is used for one purpose [D157].
 */
export const brandLocks = { feeds: 4_217_733, datasets: 4_217_734 } as const;

/**
 * The number that version 0.1 used for both purposes, exclusively. Taken in shared mode together with the current number, it
 * excludes processes of that version during a rolling restart, and does not exclude the other purpose.
 */
export const earlierBrandLock = 4_217_732;
