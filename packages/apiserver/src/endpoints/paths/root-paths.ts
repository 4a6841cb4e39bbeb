import { methodNotAllowed } from "../router-errors.js";
import { jsonAnswer } from "./json-answer.js";
import type { PathSource } from "./path-source.js";

/** `/` lists where one can go from here. */
export const createRootPaths =
  (paths: () => readonly string[]): PathSource =>
  (context) => {
    const { path, verb } = context.info;
    if (path !== "/" && path !== "" && path !== "/index.html") return undefined;
    if (verb !== "get" && verb !== "head") throw methodNotAllowed();
    return jsonAnswer(context, { paths: [...paths()].sort() });
  };
