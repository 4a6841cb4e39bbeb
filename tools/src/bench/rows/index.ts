import { besideLists } from "./beside-lists.js";
import { clusterHeap } from "./cluster-heap.js";
import { clusterHold, type HoldSettings, usualHold } from "./cluster-hold.js";
import { clusterLarge } from "./cluster-large.js";
import { clusterSchedule } from "./cluster-schedule.js";
import { clusterStart, clusterStartLarge } from "./cluster-start.js";
import { clusterWork } from "./cluster-work.js";
import { cold } from "./cold.js";
import { controllers } from "./controllers.js";
import { crdFirstObject } from "./crd-first-object.js";
import { crdMany } from "./crd-many.js";
import { crdRules } from "./crd-rules.js";
import { create, createAsAccount } from "./create.js";
import { floodRow } from "./flood.js";
import { get } from "./get.js";
import { list } from "./list.js";
import { memoryAfter } from "./memory-after.js";
import { memoryIdle } from "./memory-idle.js";
import { policyCost } from "./policy-cost.js";
import type { Row } from "./row.js";
import { schedulerRow } from "./scheduler.js";
import { start } from "./start.js";
import { testKit } from "./test-kit.js";
import { watch } from "./watch.js";

/**
 * Measured from top to bottom. Creates come before GETs and watches, which want a filled server; memory is the last of them.
 * The rows before `create`, `create-account`, and those after `memory-after` have servers of their own.
 */
const rowsWith = (hold: HoldSettings): readonly Row[] => [
  start,
  memoryIdle,
  cold,
  create,
  createAsAccount,
  get,
  list,
  watch,
  memoryAfter,
  besideLists,
  floodRow,
  crdFirstObject,
  crdMany,
  crdRules,
  policyCost,
  clusterStart,
  clusterStartLarge,
  clusterWork,
  clusterHeap,
  clusterLarge,
  clusterSchedule,
  clusterHold(hold),
  schedulerRow,
  controllers,
  testKit,
];

export const rows = rowsWith(usualHold);

/** The rows with these names, in their own order; `memory` stands for all that begin with `memory-`. Long ones only by their full names. */
export function selectRows(names: readonly string[], hold: HoldSettings = usualHold): Row[] {
  const matches = (row: Row, name: string): boolean =>
    row.name === name || (row.isLong !== true && row.name.startsWith(`${name}-`));
  const unknown = names.filter((name) => !rows.some((row) => matches(row, name)));
  if (unknown.length > 0)
    throw new Error(`unknown rows ${unknown.join(", ")}; there are ${rows.map((row) => row.name).join(", ")}`);
  return rowsWith(hold).filter((row) =>
    names.length === 0 ? row.isLong !== true : names.some((name) => matches(row, name)),
  );
}
