import { initSubcommand } from "../../project/init-subcommand.js";
import { projectFiles } from "./project-files.js";

export const initOperator = initSubcommand({
  description:
    "Writes package.json, main.ts, manifests for the operator's Deployment, tests on a cluster, a README, a linter's configuration and a CI workflow. The groups of the kinds that `create api` adds end with the domain.",
  files: projectFiles,
  next: "coxswain operator create api --group … --version v1alpha1 --kind …",
});
