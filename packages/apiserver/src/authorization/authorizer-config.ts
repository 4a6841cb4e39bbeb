import type { AccessExpression, ReviewSpec } from "@coxswain/cel/access";
import type { ClientConfig } from "@coxswain/component/kubeconfig";
import type { AbacPolicy } from "./abac/abac-policy.js";
import type { AuthorizationMode } from "./modes.js";

/** One link of the chain that decides who may do what, everything that it needs already read. */
export type AuthorizerConfig =
  | { readonly type: AuthorizationMode; readonly name: string }
  | { readonly type: "ABAC"; readonly name: string; readonly policies: readonly AbacPolicy[] }
  | { readonly type: "Webhook"; readonly name: string; readonly webhook: WebhookSettings };

export interface WebhookSettings {
  readonly connection: ClientConfig;
  readonly version: "v1" | "v1beta1";
  /** One try takes no longer. */
  readonly timeoutMs: number;
  /** How long an answer that allows is kept; 0: not at all. */
  readonly authorizedMs: number;
  readonly unauthorizedMs: number;
  readonly failurePolicy: "NoOpinion" | "Deny";
  /** It is asked only of what they all hold for. @default of everything */
  readonly conditions?: readonly ReviewCondition[];
}

export type ReviewCondition = AccessExpression<ReviewSpec>;

export const configOfMode = (type: AuthorizationMode): AuthorizerConfig => ({ type, name: type.toLowerCase() });
