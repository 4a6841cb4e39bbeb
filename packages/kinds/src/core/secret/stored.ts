import type { Secret } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredSecret = Stored<Secret>;
