import { forbidden } from "@coxswain/apimachinery/status";
import type { AdmissionPlugin, OwnObjects } from "@coxswain/apiserver/library";
import type { Fischer } from "./fischers.js";

/** Refuses flunders that a fischer disallows. */
export const banFlunder = (objects: OwnObjects): AdmissionPlugin => ({
  name: "BanFlunder",
  operations: ["CREATE"],
  validate({ kind, name }) {
    if (kind.kind !== "Flunder") return;
    for (const { disallowedFlunders = [] } of objects.list<Fischer>("fischers.wardle.example.com"))
      if (disallowedFlunders.includes(name))
        throw forbidden(kind, name, "this name may not be used, please change the resource name");
  },
});
