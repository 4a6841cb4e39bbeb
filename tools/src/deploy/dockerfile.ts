/** The instructions of a Dockerfile as data. Of all that there are, this reads those that ours has. */
export interface Stage {
  /** `AS name`; else its number. */
  readonly name: string;
  readonly from: string;
  readonly steps: readonly BuildStep[];
}

export type BuildStep =
  | { readonly do: "run"; readonly script: string }
  | { readonly do: "copy"; readonly from: string | undefined; readonly sources: readonly string[]; readonly to: string }
  | { readonly do: "set"; readonly values: Readonly<Record<string, string>> }
  | { readonly do: "folder" | "user"; readonly value: string }
  | { readonly do: "entrypoint" | "command"; readonly argv: readonly string[] };

/** Nothing is to be done for them without Docker: they are for those who run the image. */
const silent = new Set(["VOLUME", "EXPOSE", "LABEL"]);

/** Pure. @throws Error for an instruction that is not known here */
export function readDockerfile(text: string): Stage[] {
  const stages: { name: string; from: string; steps: BuildStep[] }[] = [];
  const args = new Map<string, string>();
  for (const line of instructionsOf(text)) {
    const [, word = "", rest = ""] = /^(\S+)\s+(.*)$/s.exec(line) ?? [];
    const expanded = rest.replace(/\$\{(\w+)\}/g, (all, name: string) => args.get(name) ?? all);
    if (word === "ARG") {
      const [name = "", ...value] = rest.split("=");
      args.set(name, value.join("="));
    } else if (word === "FROM") {
      const [from = "", as, name] = expanded.split(/\s+/);
      stages.push({ name: as === "AS" && name ? name : String(stages.length), from, steps: [] });
    } else if (!silent.has(word)) stages.at(-1)?.steps.push(stepOf(word, rest));
  }
  return stages;
}

/** Lines without comments; a backslash at the end goes on in the next one. */
const instructionsOf = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    .join("\n")
    .replace(/\\\n/g, " ")
    .split("\n");

function stepOf(word: string, rest: string): BuildStep {
  switch (word) {
    case "RUN":
      return { do: "run", script: rest };
    case "COPY": {
      const words = rest.split(/\s+/);
      const from = words[0]?.startsWith("--from=") ? words.shift()?.slice("--from=".length) : undefined;
      return { do: "copy", from, sources: words.slice(0, -1), to: words.at(-1) ?? "" };
    }
    case "ENV":
      return { do: "set", values: Object.fromEntries([...rest.matchAll(/(\w+)=(\S*)/g)].map(([, k, v]) => [k, v])) };
    case "WORKDIR":
      return { do: "folder", value: rest };
    case "USER":
      return { do: "user", value: rest };
    case "ENTRYPOINT":
      return { do: "entrypoint", argv: JSON.parse(rest) as string[] };
    case "CMD":
      return { do: "command", argv: JSON.parse(rest) as string[] };
    default:
      throw new Error(`${word} is not read here`);
  }
}
