/** The lines of a source without comments; good enough for rules about words, and strings stay in. */
export function codeLines(text: string): { number: number; code: string }[] {
  const withoutBlocks = text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, " "));
  return withoutBlocks.split("\n").map((line, at) => ({ number: at + 1, code: line.replace(/(^|\s)\/\/.*$/, "") }));
}
