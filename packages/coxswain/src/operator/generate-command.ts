import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { SourceError } from "@coxswain/operator/types";
import { defineSubcommand, type ProjectPlace } from "./operator-subcommand.js";
import { planManifests } from "./plan-manifests.js";
import { findSources } from "./project-sources.js";
import { writeChanged } from "./write-files.js";

export const generateFlags = defineFlags({
  "role-name": {
    group: "Manifests",
    type: "string",
    default: "manager-role",
    value: "name",
    help: "The role that gets the rules of @rbac markers without a roleName.",
  },
  "webhook-service": {
    group: "Manifests",
    type: "string",
    default: "webhook-service",
    value: "name",
    help: "The Service in front of the operator's webhook server.",
  },
  "webhook-namespace": {
    group: "Manifests",
    type: "string",
    default: "system",
    value: "namespace",
    help: "The namespace of that Service.",
  },
});

export const generateSubcommand = defineSubcommand({
  name: "generate",
  takes: "",
  summary: "Writes manifests and resources.ts from types and markers.",
  description:
    "Reads api/<version>/*.ts, and the @rbac and @webhook markers of controllers/ and main.ts. Writes config/crd, config/rbac/role.yaml, config/webhook/manifests.yaml and api/<version>/resources.ts, each only where it changed.",
  flags: generateFlags,
  maxWords: 0,
  run: ({ options, ...place }) => generate(place, options),
});

export function generate(
  { directory, print, printError }: ProjectPlace,
  { roleName, webhookService, webhookNamespace }: OptionsOf<typeof generateFlags>,
): number {
  const sources = findSources(directory);
  if (sources.api.length === 0) {
    printError(`there are no types in ${directory}: they belong into api/<version>/, such as api/v1alpha1/video.ts`);
    return 1;
  }
  try {
    const service = { name: webhookService, namespace: webhookNamespace };
    const written = writeChanged(directory, planManifests(sources, { roleName, service }));
    for (const path of written) print(`wrote ${path}`);
    if (written.length === 0) print("nothing changed");
    return 0;
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printError(error.message);
    return 1;
  }
}
