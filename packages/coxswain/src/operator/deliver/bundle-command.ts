import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { defineFlags } from "@coxswain/component/flags";
import { ManifestError } from "../apply/read-manifests.js";
import { generate } from "../generate-command.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { deliveredObjects } from "./delivered-objects.js";
import { deliveryFlags } from "./delivery-flags.js";

export const bundleSubcommand = defineProjectSubcommand({
  name: "bundle",
  takes: "",
  summary: "Writes all manifests into one file.",
  description:
    "Generates the manifests and writes those of config/manager, config/crd, config/rbac and config/webhook into one file, in the order in which they are applied: kubectl apply -f dist/install.yaml installs the operator.",
  flags: defineFlags({
    ...deliveryFlags,
    output: {
      group: "Output",
      type: "string",
      short: "o",
      default: "dist/install.yaml",
      value: "file",
      help: "The file; - prints it.",
    },
  }),
  maxWords: 0,
  run({ options, project, ...place }) {
    const { directory, print, printError } = place;
    const { output, image } = options;
    // What is printed may be piped into kubectl.
    const code = generate(output === "-" ? { ...place, print: () => {} } : place, {});
    if (code !== 0) return code;
    try {
      const objects = deliveredObjects(directory, project, image);
      const text = objects.map((object) => `---\n${stringifyYaml(object)}`).join("");
      if (output === "-") print(text.trimEnd());
      else {
        const file = resolve(directory, output);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        print(`wrote ${output}: ${objects.length} objects`);
      }
      return 0;
    } catch (error) {
      if (!(error instanceof ManifestError)) throw error;
      printError(error.message);
      return 1;
    }
  },
});
