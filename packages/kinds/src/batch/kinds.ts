import type { AnyKind } from "../definition/kind-definition.js";
import { cronJobKind } from "./cron-job/kind.js";
import { jobKind } from "./job/kind.js";

export const batchKinds: readonly AnyKind[] = [cronJobKind, jobKind];
