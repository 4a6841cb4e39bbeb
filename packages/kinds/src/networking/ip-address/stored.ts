import type { IPAddress } from "@coxswain/api/networking/v1";
import type { Stored } from "../../stored.js";

export type StoredIpAddress = Stored<IPAddress, "spec">;
