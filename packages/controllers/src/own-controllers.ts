import type { Controller } from "./controller/controller.js";
import { localPathProvisionerController } from "./local-path/controller.js";
import { servingApprovingController } from "./serving-approving/controller.js";

/** Those that kube-controller-manager does not have. */
export const ownControllers: readonly Controller[] = [localPathProvisionerController, servingApprovingController];
