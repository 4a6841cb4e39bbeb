import { browserPackages, everybody, importTable, nodeFolders, nodePackages } from "./import-table.js";
import type { SourceFile } from "./source-files.js";

const importPattern = /(?:from|import)\s*\(?\s*["']([^"']+)["']/g;

/** Each import that the table does not allow, as a sentence. */
export function checkImports(file: SourceFile): string[] {
  const row = importTable[file.package];
  if (!row)
    return [`${file.path}: the package "${file.package}" has no row in tools/src/checks/import-table.ts; add one.`];
  const allowed = new Set([file.package, ...everybody, ...row.may, ...(file.isTest ? (row.tests ?? []) : [])]);
  const problems: string[] = [];
  for (const match of file.text.matchAll(importPattern)) {
    const target = match[1] ?? "";
    const other = /^@coxswain\/([^/]+)(\/src\/)?/.exec(target);
    if (other?.[2])
      problems.push(
        `${file.path} imports ${target}: reach another package by its name or a declared sub-path, never its src.`,
      );
    if (other && !allowed.has(other[1] ?? "")) {
      problems.push(
        `${file.path} imports ${target}, but "${file.package}" may only import ${listOf(row.may)} (tools/src/checks/import-table.ts).`,
      );
    }
    if (needsNode(target, file, other?.[1]) && !file.isTest && runsInBrowser(file)) {
      problems.push(
        `${file.path} imports ${target}, but "${file.package}" also runs in a browser: nothing that needs Node there.`,
      );
    }
    if (/^(\.\.\/)+packages\/|\/\.\.\/\.\.\/packages\//.test(target))
      problems.push(`${file.path} imports ${target}: reach another package by its name.`);
  }
  return problems;
}

function runsInBrowser({ package: name, path }: SourceFile): boolean {
  const nodeFolder = nodeFolders[name];
  return browserPackages.includes(name) && !(nodeFolder !== undefined && path.startsWith(nodeFolder));
}

const needsNode = (target: string, file: SourceFile, otherPackage: string | undefined): boolean =>
  target.startsWith("node:") ||
  (nodeFolders[file.package] !== undefined && /^(\.\/|(\.\.\/)+)node\//.test(target)) ||
  (otherPackage !== undefined && nodePackages.includes(otherPackage));

const listOf = (names: readonly string[]): string => (names.length === 0 ? "nothing of the others" : names.join(", "));
