/** The first numbers of two-key advisory locks; the second is the brand. Each is used for one purpose [D157]. */
export const brandLocks = { feeds: 4_217_733, datasets: 4_217_734 } as const;
