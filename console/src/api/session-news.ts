/** Tells the other tabs of this browser that there is a session, since all of them have its cookie. */
const channel = new BroadcastChannel('brandport-session');

export function announceSession(): void {
  channel.postMessage('signed in');
}

/** Calls a function when another tab has found a session. @returns a function that stops it */
export function onSessionElsewhere(listener: () => void): () => void {
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}
