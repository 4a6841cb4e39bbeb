import type { CachedContainer } from "../objects/cached-pod.js";

/**
 * Replaces `$(NAME)` by the variable's value. `$$` stands for one dollar sign, and a reference to what is not there stays
 * as it is.
 */
export const expandVariables = (text: string, env: ReadonlyMap<string, string>): string =>
  expand(text, (name) => env.get(name));

/** The variables that a text refers to and that have no value, or an empty one; sorted. */
export function missingVariables(text: string, env: ReadonlyMap<string, string>): string[] {
  const missing = new Set<string>();
  expand(text, (name) => {
    if (!env.get(name)) missing.add(name);
    return undefined;
  });
  return [...missing].sort();
}

function expand(text: string, valueOf: (name: string) => string | undefined): string {
  let expanded = "";
  let at = 0;
  for (;;) {
    const dollar = text.indexOf("$", at);
    if (dollar < 0 || dollar + 1 >= text.length) return expanded + text.slice(at);
    expanded += text.slice(at, dollar);
    at = dollar + 2;
    const next = text.charAt(dollar + 1);
    if (next === "$") {
      expanded += "$";
    } else if (next === "(") {
      const end = text.indexOf(")", at);
      if (end < 0) {
        expanded += "$(";
        continue;
      }
      const name = text.slice(at, end);
      expanded += valueOf(name) ?? `$(${name})`;
      at = end + 1;
    } else {
      expanded += `$${next}`;
    }
  }
}

/** Command and arguments of a container, with its variables. */
export const expandCommand = (
  { command = [], args = [] }: CachedContainer,
  env: ReadonlyMap<string, string>,
): { command: string[]; args: string[] } => ({
  command: command.map((word) => expandVariables(word, env)),
  args: args.map((word) => expandVariables(word, env)),
});
