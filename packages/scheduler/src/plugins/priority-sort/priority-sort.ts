import type { Plugin } from "../../framework/plugin.js";

/** Higher priority first, then the longer wait. */
export const createPrioritySort = (): Plugin => ({
  name: "PrioritySort",
  less: (a, b) =>
    a.info.priority > b.info.priority || (a.info.priority === b.info.priority && a.timestamp < b.timestamp),
});
