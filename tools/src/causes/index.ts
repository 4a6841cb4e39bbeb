export { CauseCheck } from "./cause-check.js";
