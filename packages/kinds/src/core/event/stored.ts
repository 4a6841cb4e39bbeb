import type { Event } from "@coxswain/api/core/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredEvent = Stored<Event, "involvedObject">;
