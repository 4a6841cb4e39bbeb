export { describeInMountNamespace } from "./describe-in-mount-namespace.js";
export { describeWith, type Need } from "./describe-with.js";
