import type { DeepReadonly } from "@coxswain/api";
import type { FieldError } from "@coxswain/apimachinery/field";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkRbacName } from "../name.js";
import { checkPolicyRules } from "../policy-rules.js";
import type { StoredRole } from "./stored.js";

type ReadRole = DeepReadonly<StoredRole>;

export const checkRole = ({ metadata, rules }: ReadRole): FieldError[] => [
  ...checkObjectMeta(metadata, { namespaced: true, checkName: checkRbacName }),
  ...checkPolicyRules(rules, true),
];

export const checkRoleUpdate = (next: ReadRole, old: ReadRole): FieldError[] => [
  ...checkRole(next),
  ...checkObjectMetaUpdate(next.metadata, old.metadata),
];
