import type { Runtime } from "@coxswain/runtime";
import { withTimerKind } from "@coxswain/runtime/clock";
import { noAdmission } from "../admission/admission.js";
import type { KindOf } from "../catalogue/kind-finder.js";
import type { ObjectDeps } from "../objects/object-deps.js";

/** What controllers inside the server work with. */
export interface ControllerContext {
  /** The server's, except that timers are of the kind `upkeep`. */
  readonly runtime: Runtime;
  /** Writes are not admitted: what the server needs must not depend on webhooks. */
  readonly objects: ObjectDeps;
  readonly kindOf: KindOf;
}

export const createControllerContext = ({ runtime, objects, kindOf }: ControllerContext): ControllerContext => ({
  runtime: { ...runtime, clock: withTimerKind(runtime.clock, "upkeep") },
  objects: { ...objects, admission: noAdmission },
  kindOf,
});
