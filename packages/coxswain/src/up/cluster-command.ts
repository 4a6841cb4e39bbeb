import { defineFlags, formatHelp } from "@coxswain/component/flags";
import { choiceFlags } from "./choice-flags.js";

export const clusterCommandFlags = defineFlags({
  ...choiceFlags,
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

/** Prints what a command about a cluster takes. Answers the exit code. */
export function showHelp(name: string, description: string, flags = clusterCommandFlags): number {
  process.stdout.write(formatHelp(flags, { usage: `coxswain ${name} [flags]`, description }));
  return 0;
}
