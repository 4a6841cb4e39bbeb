import type { AnyKind } from "../definition/kind-definition.js";
import { configMapKind } from "./config-map/kind.js";
import { endpointsKind } from "./endpoints/kind.js";
import { eventKind } from "./event/kind.js";
import { limitRangeKind } from "./limit-range/kind.js";
import { namespaceKind } from "./namespace/kind.js";
import { nodeKind } from "./node/kind.js";
import { persistentVolumeKind } from "./persistent-volume/kind.js";
import { persistentVolumeClaimKind } from "./persistent-volume-claim/kind.js";
import { podKind } from "./pod/kind.js";
import { podTemplateKind } from "./pod-template/kind.js";
import { replicationControllerKind } from "./replication-controller/kind.js";
import { resourceQuotaKind } from "./resource-quota/kind.js";
import { secretKind } from "./secret/kind.js";
import { serviceKind } from "./service/kind.js";
import { serviceAccountKind } from "./service-account/kind.js";

export const coreKinds: readonly AnyKind[] = [
  configMapKind,
  endpointsKind,
  eventKind,
  limitRangeKind,
  namespaceKind,
  nodeKind,
  persistentVolumeKind,
  persistentVolumeClaimKind,
  podKind,
  podTemplateKind,
  replicationControllerKind,
  resourceQuotaKind,
  secretKind,
  serviceKind,
  serviceAccountKind,
];
