export { allControllers } from "./all-controllers.js";
export { ownControllers } from "./own-controllers.js";
export { localPathProvisionerController } from "./local-path/controller.js";
export { provisionerBinding, provisionerRole, standardClass } from "./local-path/objects.js";
export { servingApprovingController } from "./serving-approving/controller.js";
export { servingApproverBinding, servingApproverRole } from "./serving-approving/objects.js";
export {
  type RunningControllers,
  startControllers,
  type StartControllersOptions,
} from "./controller/start-controllers.js";
export { type SignerName, signerNames } from "./settings/certificate-signing-settings.js";
export type { ControllerSettings } from "./settings/controller-settings.js";
export { fixedRootCa, type RootCa } from "./settings/root-ca.js";

// For those who add controllers.
export type { Controller, ControllerContext, RunningController } from "./controller/controller.js";
export { createReconcileLoop, type ReconcileLoop, type ReconcileLoopOptions } from "./controller/reconcile-loop.js";
export { chooseControllers } from "./controller/choose-controllers.js";
