/** The texts of `Warning` headers with code 299, as the API sends them: `299 - "text"`. Malformed ones are passed over. */
export function parseWarnings(header: string | undefined): string[] {
  if (header === undefined) return [];
  const texts: string[] = [];
  let rest = header;
  for (;;) {
    const start = /^\s*(?:,\s*)?(\d{3}) (\S+) "/.exec(rest);
    if (start === null) return texts;
    const { text, end } = quotedString(rest, start[0].length);
    if (end < 0) return texts;
    if (start[1] === "299") texts.push(text);
    // A date may follow, also quoted.
    rest = rest.slice(end).replace(/^ "[^"]*"/, "");
  }
}

/** The quoted string whose content begins at `from`; `end` is behind its closing quote, or -1 where there is none. */
function quotedString(line: string, from: number): { text: string; end: number } {
  let text = "";
  for (let at = from; at < line.length; at++) {
    const char = line[at] as string;
    if (char === '"') return { text, end: at + 1 };
    if (char === "\\") at++;
    text += line[at] ?? "";
  }
  return { text, end: -1 };
}
