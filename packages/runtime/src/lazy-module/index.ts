export { createLazyModule, type LazyModule } from "./lazy-module.js";
