import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredEndpointSlice = Stored<EndpointSlice>;
