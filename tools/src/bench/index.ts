export { type Soak, type SoakOptions, type SoakWork, startSoak } from "./soak/soak.js";
