import { groupBy } from "./group-by.js";
import { isQuiet, quietLimits } from "./machine-load.js";
import { type BestLine, bestLines, type RowRun } from "./runs.js";
import { formatLine } from "./table.js";
import { isTopic, type Topic, topics } from "./topics.js";

const between = /(<!-- bench:([a-z-]+) -->\n)[\s\S]*?(<!-- \/bench -->)/g;

/** Pure: the page with its tables made of these runs. A topic without runs, or without a place in the page, is an error of the page. */
export function publish(page: string, runs: readonly RowRun[]): string {
  const places = new Set([...page.matchAll(between)].map(([, , name = ""]) => name));
  const missing = Object.keys(topics).filter((name) => !places.has(name));
  if (missing.length > 0) throw new Error(`the page has no place for ${missing.map(markerOf).join(", ")}`);
  return page.replace(between, (_, begin: string, name: string, end: string) => {
    if (!isTopic(name)) throw new Error(`${markerOf(name)} is no topic; there are ${Object.keys(topics).join(", ")}`);
    const body = formatTopic(
      name,
      runs.filter(({ topic }) => topic === name),
    );
    return `${begin}\n${body}\n\n${end}`;
  });
}

const markerOf = (name: string): string => `<!-- bench:${name} -->`;

/** The rows that were disturbed by others, each as a sentence. */
export const disturbances = (runs: readonly RowRun[]): string[] =>
  runs
    .filter(({ load }) => !isQuiet(load))
    .map(({ row, date, load }) => {
      const seen = load
        ? `load average ${load.average.toFixed(1)} (at most ${quietLimits.average}), ${load.others.toFixed(1)} processors used by others (at most ${quietLimits.others})`
        : "the load was not recorded";
      return `${row} of ${date}: ${seen}`;
    });

function formatTopic(name: Topic, runs: readonly RowRun[]): string {
  if (runs.length === 0) return "Not measured yet by this command.";
  const rows = [...groupBy(runs, ({ row }) => row).values()];
  const lines = rows.flatMap(bestLines);
  const { upstream } = topics[name];
  const hasUpstream = lines.some((line) => line.upstream !== undefined && line.upstream !== "not yet");
  const cut = (cells: string[]): string[] => (hasUpstream ? cells : cells.toSpliced(3, 1).toSpliced(1, 1));
  const head = cut(["what", upstream, "Coxswain", "ratio", "budget", "load / others", "runs"]);
  return [head, head.map(() => "---"), ...lines.map((line) => cut(markdownCells(line)))]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .concat("", sourcesOf(runs))
    .join("\n");
}

function markdownCells(line: BestLine): string[] {
  const [what = "", upstream = "", ours = "", ratio = "", budget = "", met = "", load = ""] = formatLine(line);
  const times = (text: string): string => text.replace(/ x$/, " ×");
  const budgeted = [times(budget), met].filter((text) => text !== "").join(", ");
  return [what, upstream, ours, times(ratio), budgeted, load === "" ? "not recorded" : load, String(line.runs)];
}

/** When, where and of which build, once for each that differs. */
function sourcesOf(runs: readonly RowRun[]): string {
  const sources = groupBy(runs, ({ date, commit, machine, versions }) =>
    [date.slice(0, 10), machine, versions, `build ${commit}`].filter((part) => part !== "").join("; "),
  );
  const several = sources.size > 1;
  return [...sources]
    .map(([source, of]) => (several ? `${source} (${[...new Set(of.map(({ row }) => row))].join(", ")})` : source))
    .map((source) => `${source}.`)
    .join(" ");
}
