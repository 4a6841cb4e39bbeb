// Each part is a sub-path of its own (`@coxswain/wire/x509`, …), so that a program loads only what it uses.
export type { Clock } from "@coxswain/runtime/clock";
export type { RandomBytes } from "@coxswain/runtime/random";
