/** Escapes what would be special in a pattern. */
export const patternOf = (text: string): string => text.replace(/[*?[\]\\]/g, "\\$&");

/** Whether a text matches a shell pattern of `*`, `?` and characters; a backslash takes the next one literally. */
export function matchesPattern(text: string, pattern: string): boolean {
  let [at, in_, star, retry] = [0, 0, -1, 0];
  while (at < text.length) {
    const char = pattern.charAt(in_);
    if (char === "*") {
      star = in_++;
      retry = at;
      continue;
    }
    const literal = char === "\\" ? pattern.charAt(in_ + 1) : char;
    if (in_ < pattern.length && ((char === "?" && literal === "?") || literal === text.charAt(at))) {
      in_ += char === "\\" ? 2 : 1;
      at++;
    } else if (star >= 0) {
      in_ = star + 1;
      at = ++retry;
    } else return false;
  }
  while (pattern.charAt(in_) === "*") in_++;
  return in_ === pattern.length;
}
