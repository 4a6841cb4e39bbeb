import { type Authorizer, allowed, noOpinion } from "./attributes.js";

/** Asked before all configured modes: members of system:masters may do anything. */
export const privilegedGroup: Authorizer = ({ user }) =>
  user.groups.includes("system:masters") ? allowed() : noOpinion();

export const alwaysAllow: Authorizer = () => allowed();

export const alwaysDeny: Authorizer = () => noOpinion("Everything is forbidden.");

export const authorizationModes = ["Node", "RBAC", "AlwaysAllow", "AlwaysDeny"] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];

/** Safe by default: kubelets get what is theirs, everybody else what a role gives them. */
export const defaultModes: readonly AuthorizationMode[] = ["Node", "RBAC"];
