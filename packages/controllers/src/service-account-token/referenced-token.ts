import type { ServiceAccount } from "@coxswain/api/core/v1";
import { generateName } from "@coxswain/apimachinery/meta";
import { isConflict, isNotFound, isStatusError } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import type { RandomSource } from "@coxswain/runtime/random";
import { ignoreGone } from "../controller/ignore-gone.js";
import { type CachedSecret, type CachedServiceAccount, isTokenOf, legacyClaims, newSecret } from "./plan.js";

export interface ReferencedTokenDeps {
  readonly client: Client;
  readonly random: RandomSource;
  readonly sign: (claims: Readonly<Record<string, string>>) => Promise<string> | string;
  readonly rootCa: () => string | undefined;
  /** As the cache has it. */
  readonly cachedSecret: (namespace: string, name: string) => CachedSecret | undefined;
}

/**
 * Makes a secret with a token for an account that refers to none, and refers to it, as Kubernetes did before 1.24
 * (pkg/controller/serviceaccount/tokens_controller.go, `ensureReferencedToken`). An account that somebody writes meanwhile wakes its key again.
 */
export async function ensureReferencedToken(account: CachedServiceAccount, deps: ReferencedTokenDeps): Promise<void> {
  const { namespace = "", name: accountName = "", deletionTimestamp } = account.metadata ?? {};
  if (deletionTimestamp !== undefined || (await refersToToken(account, deps))) return;
  const secrets = deps.client.core.v1.secrets(namespace);
  const name = generateName(`${accountName}-token-`, deps.random);
  const token = await deps.sign(legacyClaims(account, name));
  const made = await secrets
    .create(newSecret(account, { name, token, rootCa: deps.rootCa() }))
    .catch(ignoreEndingNamespace);
  if (!made) return;
  const changed = {
    ...(account as ServiceAccount),
    secrets: [...((account as ServiceAccount).secrets ?? []), { name }],
  };
  try {
    await deps.client.core.v1.serviceaccounts(namespace).update(changed);
  } catch (error) {
    await secrets.delete(name, { preconditions: { uid: made.metadata?.uid ?? "" } }).catch(ignoreGone);
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

/** What the cache does not have is asked for: the account may be newer than the cache of secrets. */
async function refersToToken(
  account: CachedServiceAccount,
  { client, cachedSecret }: Pick<ReferencedTokenDeps, "client" | "cachedSecret">,
): Promise<boolean> {
  const { namespace = "", name: accountName = "", uid = "" } = account.metadata ?? {};
  for (const { name = "" } of account.secrets ?? []) {
    const secret =
      cachedSecret(namespace, name) ?? (await client.core.v1.secrets(namespace).get(name).catch(ignoreGone));
    if (secret && isTokenOf(secret, { name: accountName, uid })) return true;
  }
  return false;
}

/** Nothing is made in a namespace that ends. */
function ignoreEndingNamespace(error: unknown): undefined {
  const causes = isStatusError(error) ? (error.status.details?.causes ?? []) : [];
  if (!causes.some(({ reason }) => reason === "NamespaceTerminating")) throw error;
  return undefined;
}
