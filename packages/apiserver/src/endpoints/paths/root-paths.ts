import { stringifyJson } from "@coxswain/apimachinery/json";
import type { PathSource } from "./path-source.js";

/** `/` lists where one can go from here, whatever the method, always indented. */
export const createRootPaths =
  (paths: () => Iterable<string>): PathSource =>
  ({ info: { path } }) => {
    if (path !== "/" && path !== "/index.html") return undefined;
    const text = stringifyJson({ paths: [...new Set(paths())].sort() }, { pretty: true });
    return { as: "document", code: 200, contentType: "application/json", bytes: new TextEncoder().encode(text) };
  };

/** Where groups and their versions are found. */
export function* groupPaths(served: Iterable<{ readonly group: string; readonly version: string }>): Iterable<string> {
  yield* ["/apis", "/apis/"];
  for (const { group, version } of served) {
    if (group === "") yield* ["/api", `/api/${version}`];
    else yield* [`/apis/${group}`, `/apis/${group}/${version}`];
  }
}
