import { builtInResources, type ResourceInfo } from "@coxswain/api/resources";
import { builtInTypes } from "@coxswain/api/tables";
import type { TypeRegistry } from "@coxswain/apimachinery/schema";
import { type AnyKind, builtInKinds, genericKind } from "@coxswain/kinds";
import { findVersionKind } from "../../catalogue/version-kind.js";
import { unstoredKinds } from "../handlers/unstored-kinds.js";
import { createRuntimeConfig } from "./runtime-config.js";

export interface ServedKinds {
  /** Hubs: what stands in the store. */
  readonly stored: readonly AnyKind[];
  /** What clients reach: hubs, their other versions, and what is not stored. */
  readonly served: readonly AnyKind[];
}

export interface ServedKindsOptions {
  /** `--runtime-config`. @default none */
  readonly runtimeConfig?: ReadonlyMap<string, string>;
  /** The tables of built-in types, where a server has others. @default Kubernetes' own */
  readonly types?: TypeRegistry;
  readonly gates: { enabled(gate: string): boolean };
}

/** Resources that upstream serves only while a feature is on, whatever else is asked for. */
const gated: Readonly<Record<string, string>> = {
  "certificates.k8s.io clustertrustbundles": "ClusterTrustBundle",
  "certificates.k8s.io podcertificaterequests": "PodCertificateRequest",
  "scheduling.k8s.io podgroups": "GenericWorkload",
  "scheduling.k8s.io workloads": "GenericWorkload",
  "storagemigration.k8s.io storageversionmigrations": "StorageVersionMigrator",
};

/** What a server serves. Throws where it is asked for a version into which it cannot convert its objects. */
export function chooseServedKinds({
  runtimeConfig = new Map(),
  types = builtInTypes,
  gates,
}: ServedKindsOptions): ServedKinds {
  const isEnabled = createRuntimeConfig(runtimeConfig);
  const isOn = ({ group, resource }: ResourceInfo): boolean => {
    const gate = gated[`${group} ${resource}`];
    return gate === undefined || gates.enabled(gate);
  };
  const wanted = builtInResources.filter((info) => (isEnabled(info) ?? info.servedByDefault) && isOn(info));
  const stored = new Map(kindsIn(types).map((kind) => [kind.storagePrefix, kind]));
  const unstored = new Map(unstoredKinds.map((kind) => [nameOf(kind), kind]));
  const served: AnyKind[] = [];
  for (const info of wanted) {
    const kind = info.storage ? versionOf(stored, info, info.storage, types) : unstored.get(nameOf(info));
    if (kind) served.push(kind);
  }
  return { stored: [...stored.values()], served };
}

const inTypes = (kind: AnyKind, types: TypeRegistry): AnyKind =>
  kind.types === types ? kind : (kind.withTypes?.(types) ?? kind);

/** Made once for each set of tables: a fork shares the caches of its origin where the kinds are the same. */
const kindsByTypes = new WeakMap<TypeRegistry, readonly AnyKind[]>([[builtInTypes, builtInKinds]]);

function kindsIn(types: TypeRegistry): readonly AnyKind[] {
  let kinds = kindsByTypes.get(types);
  if (!kinds) kindsByTypes.set(types, (kinds = builtInKinds.map((kind) => inTypes(kind, types))));
  return kinds;
}

const nameOf = ({ group, version, resource }: Pick<AnyKind, "group" | "version" | "resource">): string =>
  `${group}/${version}/${resource}`;

function versionOf(
  stored: Map<string, AnyKind>,
  info: ResourceInfo,
  { prefix, version }: NonNullable<ResourceInfo["storage"]>,
  types: TypeRegistry,
): AnyKind {
  let hub = stored.get(prefix);
  // Served by nobody's default: its stored version is the hub.
  if (!hub) stored.set(prefix, (hub = inTypes(genericKind(info.group, version, info.resource), types)));
  if (hub.group === info.group && hub.version === info.version) return hub;
  const kind = findVersionKind(hub, info);
  if (!kind)
    throw new Error(
      `runtime-config: Coxswain cannot serve ${info.resource} in ${info.group}/${info.version} yet: objects of ${hub.group}/${hub.version} are not converted to it. Leave it out with ${info.group}/${info.version}=false`,
    );
  return kind;
}
