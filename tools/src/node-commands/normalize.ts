import type { ProgramResult } from "../clients/index.js";

/** Pure: without what differs from one run to the next: times, identities, ages, and words that come when an answer is slow. */
export function normalize({ code, stdout, stderr }: ProgramResult): string {
  const text = `${stdout}${stderr === "" ? "" : `--- errors\n${stderr}`}--- exit code ${code}\n`;
  return replacements.reduce((so, [pattern, by]) => so.replaceAll(pattern, by), text);
}

const replacements: readonly (readonly [RegExp, string])[] = [
  [/\r\n/g, "\n"],
  // The end of a terminal's input, as `script` echoes it.
  [/\^[@D](\x08\x08)?/g, ""],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, "TIME"],
  [/\b[EIW]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ /g, "KLOG "],
  [/\b[0-9a-f]{64}\b/g, "CONTAINER"],
  [/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "UID"],
  [/\b(node-debugger-\S+)-[a-z0-9]{5}\b/g, "$1-NAME"],
  [/cni-UID/g, "NETNS"],
  // Lines of kubectl that depend on how fast a container is there.
  [/^If you don't see a command prompt, try pressing enter\.\n/gm, ""],
  [/^All commands and output from this session will be recorded.*\n/gm, ""],
  [/^warning: couldn't attach to pod.*\n/gm, ""],
];
