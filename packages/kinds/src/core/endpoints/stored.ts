import type { Endpoints } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredEndpoints = Stored<Endpoints>;
