import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import type { Stored } from "../../stored.js";

export type StoredEndpointSlice = Stored<EndpointSlice>;
