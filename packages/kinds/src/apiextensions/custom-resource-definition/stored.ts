import type { CustomResourceDefinition } from "@coxswain/api/apiextensions/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredCustomResourceDefinition = Stored<CustomResourceDefinition, "spec" | "status">;
