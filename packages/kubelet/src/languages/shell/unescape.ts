const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  a: "\x07",
  e: "\x1b",
};

/** Replaces the escapes that `echo -e` and `printf` know. */
export const unescape = (text: string): string =>
  text.replace(/\\([\s\S])/g, (all, char: string) => escapes[char] ?? all);
