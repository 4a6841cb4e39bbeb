import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import { SourceError } from "@coxswain/schema-types";
import { defineSubcommand, type ProjectPlace } from "../project/subcommand.js";
import { type PlannedFile, writeChanged } from "../project/write-files.js";
import { objectNames } from "./object-names.js";
import { planManifests } from "./plan-manifests.js";
import { readProject } from "./project-facts.js";
import { findSources } from "./project-sources.js";

export const generateFlags = defineFlags({
  "role-name": {
    group: "Manifests",
    type: "string",
    value: "name",
    help: "The role that gets the rules of @rbac markers without a roleName. By default PROJECT-manager-role.",
  },
  "webhook-service": {
    group: "Manifests",
    type: "string",
    value: "name",
    help: "The Service in front of the operator's webhook server. By default PROJECT-webhook-service.",
  },
  "webhook-namespace": {
    group: "Manifests",
    type: "string",
    value: "namespace",
    help: "The namespace of that Service. By default PROJECT-system.",
  },
});

export const generateSubcommand = defineSubcommand({
  name: "generate",
  takes: "",
  summary: "Writes manifests and resources.ts from types and markers.",
  description:
    "Reads api/<version>/*.ts, and the @rbac and @webhook markers of controllers/, webhooks/ and main.ts. Writes config/crd, config/rbac/role.yaml, config/webhook/manifests.yaml, webhooks/certificates.ts and api/<version>/resources.ts, each only where it changed.",
  flags: generateFlags,
  maxWords: 0,
  run: ({ options, ...place }) => generate(place, options),
});

type GenerateOptions = Partial<OptionsOf<typeof generateFlags>>;

export function generate(place: ProjectPlace, options: GenerateOptions): number {
  const { print } = place;
  const files = plan(place, options);
  if (files === undefined) return 1;
  const written = writeChanged(place.directory, files);
  for (const path of written) print(`wrote ${path}`);
  if (written.length === 0) print("nothing changed");
  return 0;
}

/** What `generate` writes. Undefined: the sources have errors, which were printed. */
export function plan({ directory, printError }: ProjectPlace, options: GenerateOptions): PlannedFile[] | undefined {
  const sources = findSources(directory);
  if (sources.api.length === 0) {
    printError(`there are no types in ${directory}: they belong into api/<version>/, such as api/v1alpha1/video.ts`);
    return undefined;
  }
  const names = objectNames(readProject(directory)?.name);
  const { roleName = names.managerRole, webhookService: name = names.webhookService } = options;
  const { webhookNamespace: namespace = names.namespace } = options;
  try {
    return planManifests(sources, { roleName, service: { name, namespace }, names });
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    printError(error.message);
    return undefined;
  }
}
