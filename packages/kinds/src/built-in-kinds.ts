import { builtInResources, type ResourceInfo } from "@coxswain/api/resources";
import { admissionregistrationKinds } from "./admissionregistration/kinds.js";
import { apiextensionsKinds } from "./apiextensions/kinds.js";
import { apiregistrationKinds } from "./apiregistration/kinds.js";
import { appsKinds } from "./apps/kinds.js";
import { autoscalingKinds } from "./autoscaling/kinds.js";
import { batchKinds } from "./batch/kinds.js";
import { genericKind } from "./built-in/generic-kind.js";
import { certificatesKinds } from "./certificates/kinds.js";
import { coordinationKinds } from "./coordination/kinds.js";
import { coreKinds } from "./core/kinds.js";
import type { AnyKind } from "./definition/kind-definition.js";
import { discoveryKinds } from "./discovery/kinds.js";
import { flowcontrolKinds } from "./flowcontrol/kinds.js";
import { networkingKinds } from "./networking/kinds.js";
import { nodeKinds } from "./node/kinds.js";
import { policyKinds } from "./policy/kinds.js";
import { rbacKinds } from "./rbac/kinds.js";
import { resourceKinds } from "./resource/kinds.js";
import { schedulingKinds } from "./scheduling/kinds.js";
import { storageKinds } from "./storage/kinds.js";

const ownKinds: readonly AnyKind[] = [
  ...admissionregistrationKinds,
  ...apiextensionsKinds,
  ...apiregistrationKinds,
  ...appsKinds,
  ...autoscalingKinds,
  ...batchKinds,
  ...certificatesKinds,
  ...coordinationKinds,
  ...coreKinds,
  ...discoveryKinds,
  ...flowcontrolKinds,
  ...networkingKinds,
  ...nodeKinds,
  ...policyKinds,
  ...rbacKinds,
  ...resourceKinds,
  ...schedulingKinds,
  ...storageKinds,
];

const nameOf = ({ group, resource }: { readonly group: string; readonly resource: string }): string =>
  `${group}/${resource}`;

/** Two groups or versions may serve one stored object; its kind is defined once, in the version that is the hub. */
const otherForms = new Set(
  ownKinds.flatMap(({ resource, versions = [] }) =>
    versions.map(({ group, version }) => `${group}/${version}/${resource}`),
  ),
);
const isHub = (info: ResourceInfo): boolean =>
  info.servedByDefault &&
  info.storage !== undefined &&
  !otherForms.has(`${info.group}/${info.version}/${info.resource}`);

const own = new Map(ownKinds.map((kind) => [nameOf(kind), kind]));

/** Every kind that is stored and served by default. */
export const builtInKinds: readonly AnyKind[] = builtInResources
  .filter(isHub)
  .map((info) => own.get(nameOf(info)) ?? genericKind(info.group, info.version, info.resource));
