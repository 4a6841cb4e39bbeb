import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

const skipped = new Set(["node_modules", "dist", "gen", "testdata"]);

/** Every page of the repository (`.md`) that a person wrote. */
export function documentFiles(root: string): { readonly path: string; readonly text: string }[] {
  const visit = (directory: string): { path: string; text: string }[] =>
    readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return skipped.has(entry.name) || entry.name.startsWith(".") ? [] : visit(path);
      if (!entry.name.endsWith(".md")) return [];
      return [{ path: relative(root, path).split(sep).join("/"), text: readFileSync(path, "utf8") }];
    });
  return visit(root);
}
