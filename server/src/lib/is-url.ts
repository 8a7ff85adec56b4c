/** Returns whether the text is a URL; false also when the percent-encoding of its credentials is broken. */
export function isUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  try {
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}

/** Returns whether the host of a URL is this machine, by its name or address. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost|.+\.localhost)$/.test(hostname);
}
