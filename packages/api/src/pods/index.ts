export { qosClass } from "./qos-class.js";
