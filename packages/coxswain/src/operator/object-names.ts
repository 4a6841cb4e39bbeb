/** Names of the objects beside an operator: those that kubebuilder's projects have once kustomize has prefixed them. */
export interface ObjectNames {
  /** Undefined: the folder has types, but is no project. */
  readonly project: string | undefined;
  readonly namespace: string;
  readonly serviceAccount: string;
  readonly deployment: string;
  readonly managerRole: string;
  readonly webhookService: string;
  /** The Secret with the webhook server's certificates. */
  readonly webhookSecret: string;
  readonly mutatingWebhooks: string;
  readonly validatingWebhooks: string;
  /** Any other name, with the project's in front. */
  named(name: string): string;
}

/** Pure. Without a project the names have no prefix, as controller-gen writes them. */
export function objectNames(project: string | undefined): ObjectNames {
  const named = (name: string): string => (project === undefined ? name : `${project}-${name}`);
  return {
    project,
    namespace: named("system"),
    serviceAccount: named("controller-manager"),
    deployment: named("controller-manager"),
    managerRole: named("manager-role"),
    webhookService: named("webhook-service"),
    webhookSecret: named("webhook-server-cert"),
    mutatingWebhooks: named("mutating-webhook-configuration"),
    validatingWebhooks: named("validating-webhook-configuration"),
    named,
  };
}
