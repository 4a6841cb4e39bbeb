import type { AnyKind } from "../kind-definition.js";
import { customResourceDefinitionKind } from "./custom-resource-definition/kind.js";

export const apiextensionsKinds: readonly AnyKind[] = [customResourceDefinitionKind];
