export { type BuilderParts, type ControllerBuilder, createControllerBuilder } from "./controller-builder.js";
export type { ControllerOptions } from "./controller-options.js";
export { type Controller, type ControllerEnvironment, createController } from "./controller.js";
export {
  isTerminal,
  type ReconcileContext,
  type Reconciler,
  type Request,
  type Result,
  TerminalError,
  terminalError,
} from "./reconcile.js";
export type { Outcome, ReconcileObserver, ReconcileRecord } from "./reconcile-record.js";
export { createRequestQueue, type QueuedRequest, type RequestName, type RequestQueue } from "./request-queue.js";
export { type RequestMapping, type Source, type WatchOptions, watchResource } from "./source.js";
