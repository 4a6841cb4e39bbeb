export type { Backend, Frontend, PortFrontends, Protocol, ServiceFrontends } from "./frontends/frontend.js";
export { planFrontends, type ThisNode } from "./frontends/plan-frontends.js";
