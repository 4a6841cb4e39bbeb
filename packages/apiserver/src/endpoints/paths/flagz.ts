import type { PathSource } from "./path-source.js";
import { answerStructured } from "./structured-page.js";
import { zpageHead } from "./zpage-head.js";

/** `/flagz`: the flags that the server runs with, by name. */
export const createFlagz =
  (flags: () => ReadonlyMap<string, string>): PathSource =>
  (context) => {
    if (context.info.path !== "/flagz") return undefined;
    const sorted = [...flags()].sort(([a], [b]) => (a < b ? -1 : 1));
    const text = (): string =>
      `${[zpageHead("flagz"), ...sorted.map(([name, value]) => `${name}:${value}`)].join("\n")}\n`;
    return answerStructured({ kind: "Flagz", text, members: () => ({ flags: Object.fromEntries(sorted) }) }, context);
  };
