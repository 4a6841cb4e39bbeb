/*
 * Trimming in one pass over what is removed. The expression for it, `replace(/x+$/, "")`, is quadratic on a long run of x that
 * something else follows: it tries the end anchor once per start in the run. These take time linear in the run for any input.
 */

/** The text without `char` (one code unit) at its beginning. */
export function trimStartOf(text: string, char: string): string {
  let start = 0;
  while (start < text.length && text[start] === char) start++;
  return start === 0 ? text : text.slice(start);
}

/** The text without `char` (one code unit) at its end. */
export function trimEndOf(text: string, char: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === char) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** The text without `char` (one code unit) at both ends. */
export const trimOf = (text: string, char: string): string => trimEndOf(trimStartOf(text, char), char);
