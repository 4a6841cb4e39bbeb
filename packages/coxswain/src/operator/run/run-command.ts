import { join } from "node:path";
import type { Client } from "@coxswain/client";
import { KubeconfigError } from "@coxswain/client/kubeconfig";
import { connect } from "@coxswain/client/node";
import { defineFlags } from "@coxswain/component/flags";
import { untilSignal } from "../../command/until-signal.js";
import { type ChosenCluster, chooseCluster, clusterFlags, isOnThisMachine } from "../apply/choose-cluster.js";
import { objectNames } from "../object-names.js";
import { findSources } from "../project-sources.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { type LocalWebhooks, prepareLocalWebhooks } from "./local-webhooks.js";
import { runProject } from "./run-project.js";

export const runSubcommand = defineProjectSubcommand({
  name: "run",
  takes: "[-- FLAGS OF THE OPERATOR]",
  summary: "Runs the operator on this machine, anew with each change.",
  description:
    "Generates and applies the CustomResourceDefinitions, builds main.ts, and runs it against a cluster of coxswain up or the current context of the kubeconfig, until Ctrl-C. When a source changes, all of that is done again. An API server on this machine calls its webhooks here; --webhook-host lets others do so. What stands behind -- goes to the operator: -- --leader-elect.",
  flags: defineFlags({
    ...clusterFlags,
    watch: {
      group: "Run",
      type: "boolean",
      default: true,
      help: "Start it again when a source changes. Use --watch=false to end with the operator.",
    },
    "type-check": {
      group: "Run",
      type: "boolean",
      default: true,
      help: "Check types beside it and print errors. Use --type-check=false for none.",
    },
    "webhook-host": {
      group: "Run",
      type: "string",
      value: "host",
      help: "The name or address by which the API server reaches this machine. By default 127.0.0.1 for one on this machine.",
    },
  }),
  maxWords: Number.POSITIVE_INFINITY,
  async run({ options, words, project, ...place }) {
    const { directory, print, printError, signal = signalOfProcess() } = place;
    let cluster: ChosenCluster;
    try {
      cluster = chooseCluster(options);
    } catch (error) {
      if (!(error instanceof KubeconfigError)) throw error;
      printError(`there is no cluster: "coxswain up" starts one. ${error.message}`);
      return 1;
    }
    print(`✓ cluster ${cluster.description}`);
    const webhooks = await webhooksOf(directory, cluster, options.webhookHost);
    if (webhooks === undefined && hasWebhooks(directory))
      print(`webhooks are not called: ${cluster.config.server} is another machine. --webhook-host names this one`);
    const client = connect(cluster.config);
    try {
      await reportDeployed(client, project.name, print);
      const args = [
        ...cluster.flags,
        "--log-format=text",
        "--health-probe-bind-address=0",
        ...(webhooks?.flags ?? []),
        ...words,
      ];
      const { watch, typeCheck: types } = options;
      return await runProject(place, { client, args, webhooks, watch, types, signal });
    } finally {
      await client.close();
    }
  },
});

/** Two operators that reconcile the same objects undo each other's work. */
async function reportDeployed(
  client: Client,
  project: string | undefined,
  print: (line: string) => void,
): Promise<void> {
  const { namespace, deployment } = objectNames(project);
  const found = await client.apps.v1
    .deployments(namespace)
    .get(deployment)
    .catch(() => undefined); // not there, or not for this user to see; a server that does not answer is reported by what follows
  if (found === undefined || found.spec?.replicas === 0) return;
  const command = `kubectl scale deployment/${deployment} --namespace ${namespace} --replicas=0`;
  print(`the operator is deployed in this cluster, too, and both reconcile: ${command}`);
}

/** Certificates are made also where there is no webhook yet: one may be added while it runs. */
async function webhooksOf(
  directory: string,
  { config }: ChosenCluster,
  host: string | undefined,
): Promise<LocalWebhooks | undefined> {
  if (host === undefined && !isOnThisMachine(config)) return undefined;
  return prepareLocalWebhooks(join(directory, "dist/run/certificates"), host);
}

const hasWebhooks = (directory: string): boolean =>
  findSources(directory).code.some((path) => path.startsWith("webhooks/"));

function signalOfProcess(): AbortSignal {
  const ending = new AbortController();
  void untilSignal().then(() => ending.abort());
  return ending.signal;
}
