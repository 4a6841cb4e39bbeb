import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../../conformance");

/** All conformance tests: those of these lists together. */
const all = ["stage-1-apiserver", "stage-2-cluster", "stage-3-extension", "stage-4-nodes", "serial"];

/** Names of the lists that there are. */
export const listNames = (): string[] => [
  "all",
  ...readdirSync(folder)
    .flatMap((file) => (file.endsWith(".txt") ? [file.slice(0, -".txt".length)] : []))
    .sort(),
];

/** The tests of a list, in its order. */
export const readList = (name: string): string[] =>
  name === "all" ? [...new Set(all.flatMap(readList))] : parseList(readFileSync(join(folder, `${name}.txt`), "utf8"));

/** How many simulated nodes its tests need: upstream passed those of the first stage without any, all others with three. */
export const nodesOf = (name: string): number => (name === "stage-1-apiserver" ? 0 : 3);

/** Whether its tests need nodes that run containers. */
export const needsRealNodes = (name: string): boolean => name.startsWith("stage-4") || name === "all";

/** One name a line; blank lines and lines that begin with `#` are ignored. */
export const parseList = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * The regular expression, in Go's syntax, that selects just these tests. What ginkgo holds against it begins with the
 * suite's name and ends with labels, so only the beginning of a test's own name can be pinned down: by its `[sig-…]`.
 */
export const focusOf = (tests: readonly string[]): string =>
  tests.map((test) => test.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
