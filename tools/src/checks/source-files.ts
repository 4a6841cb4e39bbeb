import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  /** "apimachinery", …, or "tools". */
  readonly package: string;
  readonly isTest: boolean;
  readonly text: string;
}

const skipped = new Set(["node_modules", "dist", "gen", "testdata"]);

/** Every TypeScript source of the workspace that a person wrote. */
export function sourceFiles(root: string): SourceFile[] {
  const found: SourceFile[] = [];
  const visit = (directory: string, packageName: string): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) visit(path, packageName);
      } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts")) {
        const shown = relative(root, path).split(sep).join("/");
        found.push({ path: shown, package: packageName, isTest: isTest(shown), text: readFileSync(path, "utf8") });
      }
    }
  };
  for (const entry of readdirSync(join(root, "packages"))) visit(join(root, "packages", entry), entry);
  visit(join(root, "tools", "src"), "tools");
  return found;
}

/** Tests, the suites that tests run, and benches. */
function isTest(path: string): boolean {
  return /\.test\.tsx?$|\.nodes-test\.ts$|\.test\.support\.ts$|\/(test|bench|conformance|testing|crash)\//.test(path);
}
