import type { Activity, WorkTrace } from "../activity/index.js";
import type { Runtime } from "./runtime.js";

/** The same runtime for a component that writes under a name of its own: its work items are traced under that name. */
export function traceAs(runtime: Runtime, writer: string): Runtime {
  const { activity } = runtime;
  let outer: WorkTrace | undefined;
  let own: WorkTrace | undefined;
  // A trace may be set after the component was made.
  const trace = (): WorkTrace | undefined => {
    if (activity.trace !== outer) {
      outer = activity.trace;
      own = outer?.as(writer);
    }
    return own;
  };
  return { ...runtime, activity: Object.create(activity, { trace: { get: trace } }) as Activity };
}
