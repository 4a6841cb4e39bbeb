import type { AdmissionPlugin } from "./admission.js";
import { forbid } from "./forbid.js";

/** Does nothing; there for command lines that name it. */
export const alwaysAdmit: AdmissionPlugin = { name: "AlwaysAdmit", operations: [] };

/** For tests of what happens then. */
export const alwaysDeny: AdmissionPlugin = {
  name: "AlwaysDeny",
  operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
  admit(attributes) {
    throw forbid(attributes, "admission control is denying all modifications");
  },
};
