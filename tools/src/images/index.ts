export { writeImageArchive } from "./image-archive.js";
export { type Registry, startRegistry } from "./registry.js";
export { busyboxRef, pauseRef, planSmallImages } from "./small-images.js";
export { writeImages } from "./write-images.js";

export { planDebianBase } from "./debian-base.js";
export { type E2eFacts, planE2eImages } from "./e2e-images.js";
export type { BusyboxFacts } from "./busybox-layer.js";
export type { ImagesPlan } from "./image-plan.js";
