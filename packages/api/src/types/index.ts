// Every API type by group and version: `import type { coreV1 } from "@coxswain/api/types"`, then `coreV1.Pod`.
// A single version is its own path: `import type { Pod } from "@coxswain/api/core/v1"`.
export type * from "../gen/types/index.js";
export type * from "../scalars/index.js";
/** Which type each resource has: `ResourceTypes["apps"]["v1"]["deployments"]["type"]`. For typed clients. */
export type { ResourceTypes } from "../gen/types/resource-types.js";
export type { DeepReadonly } from "./deep-readonly.js";
