import type { Fault } from "../faults/fault-rule.js";
import type { Faults } from "../faults/inject-faults.js";
import type { ScheduledFault, SchedulePlan } from "./schedule-plan.js";

/** The faults of a plan as rules: each hits the nth write of the users. */
export function addScheduledFaults(faults: Faults, plan: SchedulePlan, user: RegExp): void {
  for (const change of plan)
    if (change.do === "fault") faults.add({ ...faultOf(change.fault), verb: "write", user, nth: change.write });
}

function faultOf(fault: ScheduledFault): Fault {
  switch (fault) {
    case "crash before":
      return { fault: "crash", when: "before" };
    case "crash after":
      return { fault: "crash", when: "after" };
    case "tooManyRequests":
      // No wait: time stands still, and the client tries again at once.
      return { fault: "tooManyRequests", retryAfterSeconds: 0 };
    default:
      return { fault };
  }
}
