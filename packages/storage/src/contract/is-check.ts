import type { Write } from "./key-value-store.js";

type Check = Extract<Write, { readonly op: "check" | "check range" }>;

/** Whether a write only makes its transaction depend on something. */
export const isCheck = (write: Write): write is Check => write.op === "check" || write.op === "check range";
