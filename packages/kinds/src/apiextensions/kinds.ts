import type { AnyKind } from "../definition/kind-definition.js";
import { customResourceDefinitionKind } from "./custom-resource-definition/kind.js";

export const apiextensionsKinds: readonly AnyKind[] = [customResourceDefinitionKind];
