import type { RunningTest } from "./running-test.js";

/** Pure: the command that runs a test again, with these variables. */
export function repeatCommand(variables: string, { runner, file = "", name }: RunningTest): string {
  const only = name === undefined ? "" : ` -t ${quote(name)}`;
  switch (runner) {
    case "vitest":
      return `${variables} npx vitest run ${quote(file)}${only}`;
    case "jest":
      return `${variables} npx jest ${quote(file)}${only}`;
    case "node":
      return `${variables} node --test ${quote(file)}`;
  }
}

/** For a POSIX shell. -t is a regular expression in the runners; the characters that mean something there are escaped. */
const quote = (text: string): string => (/^[\w./-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
