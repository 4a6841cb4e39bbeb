import type { AnyKind } from "../kind-definition.js";
import { apiServiceKind } from "./api-service/kind.js";

export const apiregistrationKinds: readonly AnyKind[] = [apiServiceKind];
