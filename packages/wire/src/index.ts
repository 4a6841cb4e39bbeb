// Each part is a sub-path of its own (`@coxswain/wire/x509`, …), so that a program loads only what it uses.
export type { Clock } from "./clock.js";
export type { RandomBytes } from "./random.js";
