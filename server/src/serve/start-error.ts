/** The server cannot start; the message tells the operator what is wrong and what to do. */
export class StartError extends Error {}
