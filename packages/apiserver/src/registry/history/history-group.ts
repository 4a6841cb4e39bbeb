/** A group of our own, so that upstream's groups have upstream's discovery. */
export const historyGroup = "history.coxswain.dev";
export const historyVersion = "v1alpha1";
