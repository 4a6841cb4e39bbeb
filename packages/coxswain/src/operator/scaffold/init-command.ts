import { existsSync } from "node:fs";
import { join } from "node:path";
import { initFlags, readProjectFacts } from "../../project/init-flags.js";
import { defineSubcommand } from "../../project/subcommand.js";
import { writeChanged } from "../../project/write-files.js";
import { projectFiles } from "./project-files.js";

export const initSubcommand = defineSubcommand({
  name: "init",
  takes: "",
  summary: "Writes a new project into the current folder.",
  description:
    "Writes package.json, main.ts, manifests for the operator's Deployment, tests on a cluster, a README, a linter's configuration and a CI workflow. The groups of the kinds that `create api` adds end with the domain.",
  flags: initFlags,
  maxWords: 0,
  run({ options, directory, print, printError }) {
    const files = projectFiles(readProjectFacts(options, directory));
    const existing = files.filter(({ path }) => existsSync(join(directory, path)));
    if (existing.length > 0) {
      printError(`${existing.map(({ path }) => path).join(", ")} exist in ${directory}: use an empty folder`);
      return 1;
    }
    for (const path of writeChanged(directory, files)) print(`wrote ${path}`);
    print('next: npm install, then "coxswain operator create api --group … --version v1alpha1 --kind …"');
    return 0;
  },
});
