import { isStatusError } from "@coxswain/apimachinery/status";
import { type Client, isTransportError } from "@coxswain/client";
import { KubeconfigError } from "@coxswain/client/kubeconfig";
import { connect } from "@coxswain/client/node";
import { DeadlineError, waitFor } from "@coxswain/client/wait";
import { defineFlags } from "@coxswain/component/flags";
import type { ProjectPlace } from "../../project/subcommand.js";
import { applyDefinitions, applyObject } from "../apply/apply-object.js";
import { chooseCluster, clusterFlags } from "../apply/choose-cluster.js";
import { type Manifest, ManifestError } from "../apply/read-manifests.js";
import { generate } from "../generate-command.js";
import { objectNames } from "../object-names.js";
import { defineProjectSubcommand } from "../project-subcommand.js";
import { deliveredObjects } from "./delivered-objects.js";
import { deliveryFlags } from "./delivery-flags.js";
import { isRolledOut } from "./is-rolled-out.js";

export const deploySubcommand = defineProjectSubcommand({
  name: "deploy",
  takes: "",
  summary: "Applies all manifests to a cluster.",
  description:
    "Generates the manifests and applies those of config/manager, config/crd, config/rbac and config/webhook by server-side apply, then waits until the operator's Deployment is available. The image must be where the cluster's nodes find it.",
  flags: defineFlags({
    ...clusterFlags,
    ...deliveryFlags,
    wait: {
      group: "Waiting",
      type: "boolean",
      default: true,
      help: "Wait until the Deployment is available. Use --wait=false to return at once.",
    },
    timeout: { group: "Waiting", type: "duration", default: "2m", help: "How long to wait for it." },
  }),
  maxWords: 0,
  async run({ options, project, ...place }) {
    const { directory, print, printError } = place;
    const code = generate(place, {});
    if (code !== 0) return code;
    let client: Client | undefined;
    try {
      const objects = deliveredObjects(directory, project, options.image);
      const cluster = chooseCluster(options);
      print(`✓ cluster ${cluster.description}`);
      client = connect(cluster.config);
      await applyAll(client, objects, place);
      const { namespace, deployment } = objectNames(project.name);
      if (options.wait) {
        await waitFor(client.apps.v1.deployments(namespace), deployment, isRolledOut, { timeoutMs: options.timeout });
        print(`✓ the operator is available`);
      }
      return 0;
    } catch (error) {
      printError(textOf(error));
      return 1;
    } finally {
      await client?.close();
    }
  },
});

async function applyAll(client: Client, objects: readonly Manifest[], { print }: ProjectPlace): Promise<void> {
  for (const object of objects) {
    if (object.kind === "CustomResourceDefinition") await applyDefinitions(client, [object]);
    else await applyObject(client, object);
    const { name, namespace } = object.metadata ?? {};
    print(`✓ ${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`);
  }
}

/** What a user can act upon; anything else is a mistake of ours. */
function textOf(error: unknown): string {
  if (error instanceof DeadlineError)
    return `the Deployment is not available yet: see "kubectl describe pods" in its namespace`;
  if (error instanceof KubeconfigError) return `there is no cluster: "coxswain up" starts one. ${error.message}`;
  if (!isStatusError(error) && !isTransportError(error) && !(error instanceof ManifestError)) throw error;
  return error.message;
}
