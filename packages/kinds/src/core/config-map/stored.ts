import type { ConfigMap } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredConfigMap = Stored<ConfigMap>;
