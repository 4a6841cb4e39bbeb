import type { RuntimeClass } from "@coxswain/api/node/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredRuntimeClass = Stored<RuntimeClass>;
