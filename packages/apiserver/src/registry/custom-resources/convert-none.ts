import { cloneJson } from "@coxswain/apimachinery/json";
import type { StoredForm } from "@coxswain/kinds";

/** The strategy "None": every version has the same members, so that only the name of the version changes. */
export const convertNone: StoredForm["convert"] = (objects, apiVersion) =>
  Promise.resolve(objects.map((object) => ({ ...cloneJson(object), apiVersion })));
