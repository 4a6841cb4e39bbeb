export { qosClass } from "./qos-class.js";
export { podReferences, type Reference, type ReferenceType } from "./pod-references.js";
