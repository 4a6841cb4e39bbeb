export { profileCpu } from "./cpu-profile.js";
