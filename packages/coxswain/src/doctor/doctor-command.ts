import { defineFlags, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags, printJson } from "../command/output-flag.js";
import { type Finding, findProblems } from "./find-problems.js";
import { readMachineFacts } from "./machine-facts.js";

const flags = defineFlags({
  port: { group: "Cluster", type: "integer", default: 6443, value: "port", help: "The port that a cluster would use." },
  ...outputFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

const marks: Readonly<Record<Finding["level"], string>> = { ok: "✓", warning: "!", error: "✗" };

export async function runDoctor(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(flags, args);
  if (parsed.kind === "help") {
    const description =
      "Checks this machine: Node, disk, port, and the programs that people use with clusters. Ends with 1 if something keeps clusters from running.";
    process.stdout.write(formatHelp(flags, { usage: "coxswain doctor [flags]", description }));
    return 0;
  }
  const isJson = isJsonWanted(parsed.options);
  const findings = findProblems(await readMachineFacts(parsed.options.port));
  if (isJson) printJson({ findings });
  else
    for (const { level, subject, text } of findings)
      process.stdout.write(`${marks[level]} ${subject.padEnd(12)}${text}\n`);
  return findings.some(({ level }) => level === "error") ? 1 : 0;
}
