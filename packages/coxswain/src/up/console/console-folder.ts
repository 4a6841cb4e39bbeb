import { dirname, join } from "node:path";

/** Where the built page is: next to the bundle that this runs from. */
export function consoleFolder(): string {
  // Of the bundle's own function; the sources are modules and have none.
  if (typeof __filename !== "string") throw new Error("the console is served by the built command only");
  return join(dirname(__filename), "console");
}
