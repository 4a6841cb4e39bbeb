/** A line before that of the mark, indented as it. */
export function insertBefore(text: string, mark: string, line: string): string {
  const at = text.indexOf(mark);
  const indent = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return `${text.slice(0, at)}${line}\n${indent}${text.slice(at)}`;
}
