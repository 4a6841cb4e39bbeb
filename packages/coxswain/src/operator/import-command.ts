import { resolve } from "node:path";
import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { isStatusError } from "@coxswain/apimachinery/status";
import { connect, loadConfig } from "@coxswain/client/node";
import { defineFlags, FlagError, type OptionsOf } from "@coxswain/component/flags";
import { definitionModules } from "@coxswain/operator/import";
import { defineSubcommand } from "../project/subcommand.js";
import { writeChanged } from "../project/write-files.js";
import { kubeconfigFlags } from "./apply/choose-cluster.js";
import { DefinitionFileError, readDefinitions } from "./read-definitions.js";

const importFlags = defineFlags({
  "output-dir": {
    group: "Output",
    type: "string",
    short: "o",
    value: "dir",
    help: "The folder for the modules: <group>/<version>/<kind>.ts below it.",
  },
  "from-cluster": {
    group: "Cluster",
    type: "boolean",
    help: "Take the definitions of a running cluster, not of files.",
  },
  ...kubeconfigFlags,
});

export const importSubcommand = defineSubcommand({
  name: "import",
  takes: "FILE|DIR…",
  summary: "Writes typed modules from CustomResourceDefinitions.",
  description:
    "Makes a module per kind and version, with its interface and its resource for clients and controllers, from manifests in YAML or JSON, or with --from-cluster from a running cluster.",
  flags: importFlags,
  maxWords: Number.POSITIVE_INFINITY,
  async run({ options, words, directory, print, printError }) {
    const { outputDir, fromCluster } = options;
    if (outputDir === undefined) throw new FlagError("name the folder for the modules with -o DIR");
    if (words.length > 0 === (fromCluster === true))
      throw new FlagError("name files or folders with CustomResourceDefinitions, or give --from-cluster");
    try {
      const definitions = fromCluster
        ? await clusterDefinitions(options)
        : words.flatMap((word) => readDefinitions(resolve(directory, word)));
      if (definitions.length === 0) {
        printError(`there is no CustomResourceDefinition in ${fromCluster ? "the cluster" : words.join(", ")}`);
        return 1;
      }
      const written = writeChanged(resolve(directory, outputDir), definitions.flatMap(definitionModules));
      for (const path of written) print(`wrote ${outputDir}/${path}`);
      if (written.length === 0) print("nothing changed");
      return 0;
    } catch (error) {
      if (!(error instanceof DefinitionFileError) && !isStatusError(error)) throw error;
      printError(error.message);
      return 1;
    }
  },
});

async function clusterDefinitions({
  kubeconfig,
  context,
}: OptionsOf<typeof importFlags>): Promise<CustomResourceDefinition[]> {
  const client = connect(
    loadConfig({ ...(kubeconfig !== undefined && { path: kubeconfig }), ...(context !== undefined && { context }) }),
  );
  try {
    const { items } = await client.apiextensions.v1.customresourcedefinitions().list();
    return [...items];
  } finally {
    await client.close();
  }
}
