import { initSubcommand } from "../project/init-subcommand.js";
import { projectFiles } from "./project-files.js";

export const initApiServer = initSubcommand({
  description:
    "Writes package.json, main.ts, groups.ts, manifests for a Deployment with its Service and roles, a Dockerfile and a README. The groups of the kinds that `create kind` adds end with the domain.",
  files: projectFiles,
  next: "coxswain api create kind --group … --version v1alpha1 --kind …",
});
