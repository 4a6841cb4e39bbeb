import { allowed, type Authorizer, denied, noOpinion } from "./attributes.js";

/** Asked before all configured modes: members of system:masters may do anything. */
export const privilegedGroup: Authorizer = ({ user }) => (user.groups.includes("system:masters") ? allowed() : noOpinion());

export const alwaysAllow: Authorizer = () => allowed();

export const alwaysDeny: Authorizer = () => denied("Everything is forbidden.");

export const authorizationModes = ["RBAC", "AlwaysAllow", "AlwaysDeny"] as const;
export type AuthorizationMode = (typeof authorizationModes)[number];
