import { folderTable } from "./folder-table.js";
import { relativeImports } from "./relative-imports.js";
import type { SourceFile } from "./source-files.js";

/** Each import from a folder that stands above the importing one, as a sentence. */
export function checkFolderLayers(
  file: SourceFile,
  table: Readonly<Record<string, readonly string[]>> = folderTable,
): string[] {
  const layers = table[file.package] ?? [];
  const own = folderOf(file.path);
  // The folders of tools are tools, which stand side by side.
  if (file.package === "tools" || file.isTest || own === undefined) return [];
  const rank = layers.indexOf(own);
  if (rank < 0)
    return [
      `${file.path}: the folder "${own}" of ${file.package} has no place in tools/src/checks/folder-table.ts; add it.`,
    ];
  return relativeImports(file).flatMap((target) => {
    const other = folderOf(target);
    // What a build makes is nobody's layer.
    if (target.includes("/dist/")) return [];
    if (other !== undefined && layers.indexOf(other) <= rank) return [];
    return [
      `${file.path} imports ${target}, but "${own}" stands below ${other === undefined ? "it" : `"${other}"`}: imports only go down (tools/src/checks/folder-table.ts).`,
    ];
  });
}

/** The first folder below `src`; undefined for a file that stands beside the folders. */
const folderOf = (path: string): string | undefined => /\/src\/([^/]+)\//.exec(path)?.[1];
