/** A string with its quotes, a mark, or a word (a number, true, false, null). */
const token = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON for people: indented by two blanks, as Go does it. Nothing is read but the marks, so members stay in their order and numbers as they are. */
export function indentJson(text: string): string {
  let out = "";
  let indent = "\n";
  let opened = false;
  for (const [word] of text.matchAll(token)) {
    const closes = word === "}" || word === "]";
    if (closes) indent = indent.slice(0, -2);
    // What is empty stays on its line.
    if (opened !== closes) out += indent;
    opened = word === "{" || word === "[";
    if (opened) indent += "  ";
    out += word === ":" ? ": " : word === "," ? `,${indent}` : word;
  }
  return out;
}
