export { clientGone, LazySignal, whenAborted } from "./lazy-signal.js";
