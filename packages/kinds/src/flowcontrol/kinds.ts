import type { AnyKind } from "../definition/kind-definition.js";
import { flowSchemaKind } from "./flow-schema/kind.js";
import { priorityLevelConfigurationKind } from "./priority-level-configuration/kind.js";

export const flowcontrolKinds: readonly AnyKind[] = [flowSchemaKind, priorityLevelConfigurationKind];
