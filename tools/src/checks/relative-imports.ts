import { posix } from "node:path";
import type { SourceFile } from "./source-files.js";

const relativeImport = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g;

/** The files of its own package that a file imports, as paths from the root of the repository. */
export function relativeImports({ path, text }: SourceFile): string[] {
  return [...text.matchAll(relativeImport)].map(([, target = ""]) =>
    posix.join(posix.dirname(path), target).replace(/\.js$/, ".ts"),
  );
}
