import type { AnyKind } from "../definition/kind-definition.js";
import { controllerRevisionKind } from "./controller-revision/kind.js";
import { daemonSetKind } from "./daemon-set/kind.js";
import { deploymentKind } from "./deployment/kind.js";
import { replicaSetKind } from "./replica-set/kind.js";
import { statefulSetKind } from "./stateful-set/kind.js";

export const appsKinds: readonly AnyKind[] = [
  controllerRevisionKind,
  daemonSetKind,
  deploymentKind,
  replicaSetKind,
  statefulSetKind,
];
