import { configMapKind } from "./core/config-map/kind.js";
import { namespaceKind } from "./core/namespace/kind.js";
import { podKind } from "./core/pod/kind.js";
import type { AnyKind } from "./kind-definition.js";

/** Every kind that is served. */
export const builtInKinds: readonly AnyKind[] = [namespaceKind, configMapKind, podKind];
