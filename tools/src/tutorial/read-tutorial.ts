/** What a reader of a tutorial does or sees, in the page's order. */
export type Step =
  | {
      readonly do: "type";
      /** As printed. */
      readonly commands: string;
      readonly terminal: Terminal;
      /** Makes or ends the cluster: not for a cluster that is there already. */
      readonly isAboutCluster: boolean;
      /** The last command is refused. */
      readonly fails: boolean;
      readonly line: number;
    }
  | { readonly do: "write"; readonly path: string; readonly text: string; readonly line: number }
  /** What the terminal shows: of the commands before in the first one, and at some time in the second. */
  | { readonly do: "see"; readonly text: string; readonly terminal: Terminal; readonly line: number };

export type Terminal = "first" | "second";

const words = new Set(["cluster", "fails", "second-terminal"]);

/**
 * The blocks of a page, by what stands behind their opening fence: `sh` is typed (`sh cluster`, `sh fails`, `sh second-terminal`, where `^C` ends what runs), `text` is
 * seen (`text second-terminal`), and a language with a path is written to that file. @throws Error for a block that is none of these
 */
export function readTutorial(markdown: string): Step[] {
  const steps: Step[] = [];
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^```(\S+)(?: (.*))?$/.exec(lines[at] ?? "");
    if (!fence) continue;
    const [, language = "", rest = ""] = fence;
    const line = at + 1;
    const end = lines.indexOf("```", line);
    if (end < 0) throw new Error(`line ${line}: the block has no end`);
    steps.push(stepOf(language, rest, { text: `${lines.slice(line, end).join("\n")}\n`, line }));
    at = end;
  }
  return steps;
}

function stepOf(language: string, rest: string, { text, line }: { text: string; line: number }): Step {
  const given = rest.split(" ").filter((word) => word !== "");
  const terminal = given.includes("second-terminal") ? "second" : "first";
  const isPath = given.length === 1 && /[./]/.test(rest);
  if (language !== "sh" && language !== "text" && isPath) return { do: "write", path: rest, text, line };
  const unknown = given.find((word) => !words.has(word));
  if (unknown !== undefined) throw new Error(`line ${line}: a block with ${JSON.stringify(unknown)} is nothing to do`);
  if (language === "text") return { do: "see", text, terminal, line };
  if (language !== "sh") throw new Error(`line ${line}: a block of ${language} needs the path of its file`);
  const isAboutCluster = given.includes("cluster");
  return { do: "type", commands: text, terminal, isAboutCluster, fails: given.includes("fails"), line };
}

/** One section of a page, with the others blank: lines keep their numbers. @throws Error where there is none */
export function sectionOf(markdown: string, title: string): string {
  const lines = markdown.split("\n");
  const begin = lines.indexOf(`## ${title}`);
  if (begin < 0) throw new Error(`the page has no section "${title}"`);
  const next = lines.findIndex((line, at) => at > begin && line.startsWith("## "));
  const end = next < 0 ? lines.length : next;
  return lines.map((line, at) => (at >= begin && at < end ? line : "")).join("\n");
}

/** Whether a terminal shows the text: `…` stands for anything, and spaces at the ends of lines do not count. */
export const shows = (output: string, expected: string): boolean =>
  new RegExp(`^${patternOf(expected)}$`).test(trimmed(output));

/** Where the last of these lines ends in an output that has them in this order, others in between; undefined: not yet. */
export function findIn(output: string, expected: string): number | undefined {
  const lines = trimmed(expected).split("\n").map(patternOf);
  const found = new RegExp(`(?:^|\\n)${lines.join("\\n(?:[^]*\\n)??")}(?=\\n)`).exec(output);
  return found ? found.index + found[0].length : undefined;
}

const trimmed = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();

const patternOf = (text: string): string =>
  trimmed(text)
    .split("…")
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
    .join("[^]*?");
