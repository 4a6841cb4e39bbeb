import { type Activity, during } from "@coxswain/runtime/activity";
import type { Transport } from "./transport.js";

/** Counts requests under way, for clocks that wait until nothing is. A watch counts while it is opened. */
export const countRequests = (transport: Transport, activity: Activity): Transport => ({
  send: (request) => during(activity, () => transport.send(request)),
  watch: (request) => during(activity, () => transport.watch(request)),
  close: () => transport.close(),
});
