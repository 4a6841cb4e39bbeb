import type { IPAddress } from "@coxswain/api/networking/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredIpAddress = Stored<IPAddress, "spec">;
