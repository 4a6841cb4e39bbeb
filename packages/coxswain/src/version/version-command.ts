import { kubernetesRelease } from "@coxswain/api/release";
import { defineFlags, formatHelp, parseOnlyFlags } from "@coxswain/component/flags";
import { isJsonWanted, outputFlags, printJson } from "../command/output-flag.js";
import { productVersion } from "../command/product-version.js";

const flags = defineFlags({ ...outputFlags, help: { group: "Help", type: "boolean", help: "Show this text." } });

export async function runVersion(args: readonly string[]): Promise<number> {
  const parsed = parseOnlyFlags(flags, args);
  if (parsed.kind === "help") {
    const description = "Shows the version of this program, of the Kubernetes API that it serves, and of Node.";
    process.stdout.write(formatHelp(flags, { usage: "coxswain version [flags]", description }));
    return 0;
  }
  const versions = { coxswain: productVersion, kubernetes: kubernetesRelease.gitVersion, node: process.version };
  if (isJsonWanted(parsed.options)) printJson(versions);
  else
    process.stdout.write(
      `coxswain ${versions.coxswain}, Kubernetes ${versions.kubernetes}, Node ${versions.node.slice(1)}\n`,
    );
  return 0;
}
