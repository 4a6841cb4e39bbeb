import type { DeepReadonly } from "@coxswain/api";
import { getOwn } from "@coxswain/apimachinery/own";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import type { Strategy } from "../../definition/strategy.js";
import type { StoredServiceAccount } from "./stored.js";

const enforceMountableSecrets = "kubernetes.io/enforce-mountable-secrets";

const checkServiceAccount = ({ metadata }: DeepReadonly<StoredServiceAccount>) =>
  checkObjectMeta(metadata, { namespaced: true });

export const serviceAccountStrategy: Strategy<StoredServiceAccount> = {
  resetFields: [],
  prepareForCreate: keepNamesOfSecrets,
  validateCreate: checkServiceAccount,
  warningsOnCreate: (account) => warnings(account),
  prepareForUpdate: keepNamesOfSecrets,
  validateUpdate: (account, old) => [
    ...checkObjectMetaUpdate(account.metadata, old.metadata),
    ...checkServiceAccount(account),
  ],
  warningsOnUpdate: (account, old) => (usesDeprecatedAnnotation(old) ? [] : warnings(account)),
};

/** Only the name of a secret counts: it is one of the same namespace. */
function keepNamesOfSecrets(account: StoredServiceAccount): void {
  account.secrets = account.secrets?.map(({ name = "" }) => ({ name })) ?? [];
}

const usesDeprecatedAnnotation = ({ metadata }: DeepReadonly<StoredServiceAccount>): boolean =>
  getOwn(metadata.annotations, enforceMountableSecrets) !== undefined;

const warnings = (account: DeepReadonly<StoredServiceAccount>): string[] =>
  usesDeprecatedAnnotation(account)
    ? [
        `metadata.annotations[${enforceMountableSecrets}]: deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets`,
      ]
    : [];
