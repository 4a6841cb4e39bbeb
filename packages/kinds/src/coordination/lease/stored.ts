import type { Lease } from "@coxswain/api/coordination/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredLease = Stored<Lease, "spec">;
