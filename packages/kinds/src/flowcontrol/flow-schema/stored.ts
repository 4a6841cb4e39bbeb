import type { FlowSchema } from "@coxswain/api/flowcontrol/v1";
import type { Stored } from "../../stored.js";

export type StoredFlowSchema = Stored<FlowSchema, "spec" | "status">;
