import type { FlowSchema } from "@coxswain/api/flowcontrol/v1";
import type { Stored } from "../../definition/stored.js";

export type StoredFlowSchema = Stored<FlowSchema, "spec" | "status">;
