/**
 * Pure: the path of a probe as the request line has it, by the rules of Go's `net/url` that upstream's `formatURL`
 * (pkg/probe/http/request.go) follows: a fragment is dropped, a scheme and a host in front of the path are passed over, what is
 * not allowed is escaped, and a path that is no URL at all is escaped wholly. Dot segments stay.
 */
export function requestTarget(path: string): string {
  const [beforeFragment = "", fragment = ""] = splitAt(path, "#");
  const [place = "", query] = splitAt(beforeFragment, "?");
  if (hasControls(path) || hasBadEscape(place) || hasBadEscape(fragment)) return rooted(escape(path, wholly));
  const local = place.replace(/^([a-zA-Z][a-zA-Z0-9+.-]*:)?\/\/[^/]*/, "");
  return rooted(escape(local, inPath)) + (query === undefined ? "" : `?${escape(query, inQuery)}`);
}

/** Bytes that stay as they are. */
const wholly = /[A-Za-z0-9\-_.~$&+,/:;=@]/;
const inPath = /[A-Za-z0-9\-_.~$&+,/:;=@%!'()*[\]]/;
const inQuery = /[\x21-\x7e]/;

const rooted = (path: string): string => (path.startsWith("/") ? path : `/${path}`);

const hasBadEscape = (text: string): boolean => /%(?![0-9a-fA-F]{2})/.test(text);

function hasControls(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function escape(text: string, allowed: RegExp): string {
  let escaped = "";
  for (const byte of Buffer.from(text, "utf8")) {
    const character = String.fromCharCode(byte);
    escaped += allowed.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}
