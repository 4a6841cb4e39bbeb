import type { ConfigMap } from "@coxswain/api/core/v1";
import type { Stored } from "../../stored.js";

export type StoredConfigMap = Stored<ConfigMap>;
