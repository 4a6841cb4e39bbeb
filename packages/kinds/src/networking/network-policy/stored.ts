import type { NetworkPolicy } from "@coxswain/api/networking/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredNetworkPolicy = Stored<NetworkPolicy, "spec">;
