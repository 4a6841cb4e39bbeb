import { relativeImports } from "./relative-imports.js";
import type { SourceFile } from "./source-files.js";

/** Who imports whom among the files and folders of one directory, with one import as the example of each edge. */
type Graph = Map<string, Map<string, string>>;

/**
 * Import cycles, as sentences. In every directory its files and its folders (each with all that is in it) are the nodes of a
 * graph that must have no cycle: that covers cycles of files, of folders, and of a folder with a file beside it. Types count
 * too; tests do not.
 */
export function checkImportCycles(files: readonly SourceFile[]): string[] {
  const graphs = new Map<string, Graph>();
  for (const file of files) {
    if (file.isTest) continue;
    for (const target of relativeImports(file)) addEdge(graphs, importedName(file.path), target);
  }
  return [...graphs].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([directory, graph]) => cyclesIn(directory, graph));
}

/** A file with JSX is imported by the same name as one without. */
const importedName = (path: string): string => path.replace(/\.tsx$/, ".ts");

/** In the directory where the two paths part, what leads to one depends on what leads to the other. */
function addEdge(graphs: Map<string, Graph>, from: string, to: string): void {
  const [a, b] = [from.split("/"), to.split("/")];
  const at = a.findIndex((part, index) => part !== b[index]);
  if (at < 0) return;
  const directory = a.slice(0, at).join("/");
  const name = (parts: readonly string[]): string => `${parts[at] ?? ""}${at < parts.length - 1 ? "/" : ""}`;
  const graph = graphs.get(directory) ?? new Map<string, Map<string, string>>();
  const edges = graph.get(name(a)) ?? new Map<string, string>();
  if (!edges.has(name(b))) edges.set(name(b), `${from} imports ${to}`);
  graphs.set(directory, graph.set(name(a), edges));
}

/** One shortest cycle through each node that is on one and in none that was reported before. */
function cyclesIn(directory: string, graph: Graph): string[] {
  const reported = new Set<string>();
  return [...graph.keys()].sort().flatMap((node) => {
    const cycle = reported.has(node) ? undefined : shortestCycle(graph, node);
    if (!cycle) return [];
    for (const each of cycle) reported.add(each);
    const examples = cycle.map((each, at) => graph.get(each)?.get(cycle[(at + 1) % cycle.length] ?? "") ?? "");
    return [`${directory}: ${[...cycle, node].join(" → ")} import each other in a circle: ${examples.join("; ")}.`];
  });
}

function shortestCycle(graph: Graph, start: string): string[] | undefined {
  let paths: string[][] = [[start]];
  const seen = new Set<string>();
  while (paths.length > 0) {
    const longer: string[][] = [];
    for (const path of paths) {
      for (const next of graph.get(path.at(-1) ?? "")?.keys() ?? []) {
        if (next === start) return path;
        if (seen.has(next)) continue;
        seen.add(next);
        longer.push([...path, next]);
      }
    }
    paths = longer;
  }
  return undefined;
}
