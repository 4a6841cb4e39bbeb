import type { NetworkPolicy } from "@coxswain/api/networking/v1";
import type { Stored } from "../../stored.js";

export type StoredNetworkPolicy = Stored<NetworkPolicy, "spec">;
