import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import {
  type GeneratedWebhooks,
  generateRoles,
  generateWebhooks,
  resourcesModule,
  type WebhookService,
} from "@coxswain/operator/manifests";
import { type CustomKind, generateDefinitions, parseComments } from "@coxswain/schema-types";
import type { PlannedFile } from "../project/write-files.js";
import { certificatesFile, certificatesModule } from "./certificates-module.js";
import type { ObjectNames } from "./object-names.js";
import { type ProjectSources, resourcesFile } from "./project-sources.js";
import { certificateRoles, webhookServiceOf } from "./webhook-access.js";

export interface ManifestOptions {
  readonly roleName: string;
  readonly service: WebhookService;
  readonly names: ObjectNames;
}

/** All that follows from the sources of a project, and where it belongs. @throws SourceError */
export function planManifests({ api, code, read }: ProjectSources, options: ManifestOptions): PlannedFile[] {
  const { kinds, definitions } = generateDefinitions(api, read);
  const modules = [...api, ...code].map((path) => parseComments({ path, text: read(path) ?? "" }));
  const roles = generateRoles(modules, options.roleName);
  const webhooks = generateWebhooks(kinds, modules, options.service);
  const { mutatingWebhooks, validatingWebhooks } = options.names;
  const configurations = [
    webhooks.mutating && { ...webhooks.mutating, metadata: { name: mutatingWebhooks } },
    webhooks.validating && { ...webhooks.validating, metadata: { name: validatingWebhooks } },
  ].filter((one) => one !== undefined);
  const certificates = certificatesModule(webhooks, options);
  return [
    ...definitions.map((definition) => ({
      path: `config/crd/${definition.metadata?.name}.yaml`,
      text: manifests([withConversion(definition, webhooks)]),
    })),
    ...(roles.length > 0 ? [{ path: "config/rbac/role.yaml", text: manifests(roles) }] : []),
    ...(configurations.length > 0 ? [{ path: "config/webhook/manifests.yaml", text: manifests(configurations) }] : []),
    ...accessManifests(webhooks, options),
    ...(certificates === undefined ? [] : [{ path: certificatesFile, text: certificates }]),
    ...[...byFolder(kinds)].map(([folder, inFolder]) => ({
      path: `${folder}/${resourcesFile}`,
      text: resourcesModule(inFolder),
    })),
  ];
}

/** Beside the webhooks of a project: the Service, and the roles by which certificates are made. */
function accessManifests(webhooks: GeneratedWebhooks, { names, service }: ManifestOptions): PlannedFile[] {
  const { mutating, validating, conversions } = webhooks;
  if (names.project === undefined || (!mutating && !validating && conversions.length === 0)) return [];
  return [
    { path: "config/webhook/service.yaml", text: manifests([webhookServiceOf(service, names.project)]) },
    { path: "config/rbac/webhook-certificates.yaml", text: manifests(certificateRoles(webhooks, names)) },
  ];
}

const manifests = (objects: readonly object[]): string =>
  objects.map((object) => `---\n${stringifyYaml(object)}`).join("");

/** One marked version is enough: a definition has one conversion for all of them. */
function withConversion(
  definition: CustomResourceDefinition,
  { conversions }: GeneratedWebhooks,
): CustomResourceDefinition {
  const { group, names } = definition.spec;
  const found = conversions.find(({ kind }) => kind.group === group && kind.kind === names.kind);
  return found ? { ...definition, spec: { ...definition.spec, conversion: found.conversion } } : definition;
}

function byFolder(kinds: readonly CustomKind[]): Map<string, CustomKind[]> {
  const folders = new Map<string, CustomKind[]>();
  for (const kind of kinds) {
    const folder = kind.module.path.split("/").slice(0, -1).join("/");
    folders.set(folder, [...(folders.get(folder) ?? []), kind]);
  }
  return folders;
}
