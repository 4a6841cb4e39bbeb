export { type ComponentsOptions, type RunningComponents, startComponents } from "./start-components.js";
export { createInProcessClients, type InProcessClientsOptions } from "./in-process-clients.js";
export {
  administrator,
  controllerManagerUser,
  nodeUser,
  schedulerUser,
  serviceAccountUser,
  simulatedNodesUser,
} from "./component-users.js";
