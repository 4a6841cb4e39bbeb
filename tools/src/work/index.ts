export { createWorkCounter, type Work, type WorkCounter } from "./work-counter.js";
export { countNativeWork, type NativeWork } from "./native-work.js";
export { growthFactor, isSuperLinear, type Measured } from "./growth.js";
