import type { Controller } from "./controller/controller.js";
import { serviceAccountController } from "./service-account/controller.js";

/** Every controller of kube-controller-manager that is there, in the order of their names upstream. */
export const allControllers: readonly Controller[] = [serviceAccountController];
