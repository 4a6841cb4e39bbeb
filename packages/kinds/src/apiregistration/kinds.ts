import type { AnyKind } from "../definition/kind-definition.js";
import { apiServiceKind } from "./api-service/kind.js";

export const apiregistrationKinds: readonly AnyKind[] = [apiServiceKind];
