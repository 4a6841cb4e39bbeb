import { checkPathSegmentName, type NameCheck } from "@coxswain/apimachinery/validation";

/** Roles may be called nearly anything: users bring names such as `system:node-reader`. A prefix is validated like a name. */
export const checkRbacName: NameCheck = (name) => checkPathSegmentName(name);
