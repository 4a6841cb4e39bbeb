export { createWorkCounter, type Work, type WorkCounter } from "./work-counter.js";
