import { noTokenSecretsGate } from "@coxswain/api/feature-gates";
import { isConflict, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { namespaceIndex } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { ignoreGone } from "../controller/ignore-gone.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import {
  accountOf,
  type CachedSecret,
  type CachedServiceAccount,
  fillSecret,
  isTokenOf,
  legacyClaims,
  needsOf,
  tokenType,
} from "./plan.js";
import { ensureReferencedToken } from "./referenced-token.js";

/**
 * Puts tokens into secrets that ask for one by their type, and deletes such secrets with their service account. Needs the key
 * that service account tokens are signed with. With the gate of token secrets off, every account gets such a secret.
 */
export const serviceAccountTokenController: Controller = {
  name: "serviceaccount-token-controller",
  aliases: ["serviceaccount-token"],
  // The manager's own: tokens of service accounts are its way to all others.
  start(context) {
    const { client, informers, settings } = context;
    const { signServiceAccountToken: sign, rootCa } = settings;
    if (!sign) return undefined;
    const accounts = informers.of("core", "v1", "serviceaccounts");
    const secrets = informers.of("core", "v1", "secrets");
    const workers = settings.concurrency?.["serviceaccount-token-controller"] ?? 5;

    const makesSecrets = !context.gates.enabled(noTokenSecretsGate.name);
    const tokenDeps = {
      client,
      sign,
      random: context.runtime.random,
      rootCa: () => rootCa?.current(),
      cachedSecret: (namespace: string, name: string) => secrets.indexer.getByKey(`${namespace}/${name}`),
    };

    const deleteSecret = (namespace: string, name: string, uid: string): Promise<void> =>
      client.core.v1
        .secrets(namespace)
        .delete(name, { preconditions: { uid } })
        .then(() => {}, ignoreLostRaces);

    /** By namespace, name and UID: the tokens of an account that is gone go too. */
    const accountLoop = createReconcileLoop(context, {
      name: "serviceaccount_tokens_service",
      workers,
      async reconcile(key) {
        const [namespace = "", name = "", uid = ""] = key.split("/");
        const account = accounts.indexer.getByKey(`${namespace}/${name}`);
        if (account?.metadata?.uid === uid) return makesSecrets ? ensureReferencedToken(account, tokenDeps) : undefined;
        for (const secret of secrets.indexer.byIndex(namespaceIndex, namespace))
          if (isTokenOf(secret, { name, uid }))
            await deleteSecret(namespace, secret.metadata?.name ?? "", secret.metadata?.uid ?? "");
      },
    });
    accountLoop.watchFor(accounts, ({ metadata }) => [`${metadata?.namespace}/${metadata?.name}/${metadata?.uid}`]);

    /** By namespace, name and UID of the secret and name and UID of the account: a deleted secret cannot be asked any more. */
    const secretLoop = createReconcileLoop(context, {
      name: "serviceaccount_tokens_secret",
      workers,
      async reconcile(key) {
        const [namespace = "", name = "", uid = "", accountName = "", accountUid = ""] = key.split("/");
        const isAccount = (account: CachedServiceAccount | undefined): boolean =>
          account !== undefined && (accountUid === "" || account.metadata?.uid === accountUid);
        const cached = accounts.indexer.getByKey(`${namespace}/${accountName}`);
        const secret = secrets.indexer.getByKey(`${namespace}/${name}`);
        if (secret?.metadata?.uid !== uid || !secret) {
          if (isAccount(cached)) await removeReference(client, { namespace, accountName, secretName: name });
          return;
        }
        // The account may be newer than the cache: its token must not go for that.
        const account = isAccount(cached) ? cached : await getAccount(client, namespace, accountName);
        if (!account || !isAccount(account)) return deleteSecret(namespace, name, uid);
        const authority = rootCa?.current();
        const needs = needsOf(secret, authority);
        if (!needs) return;
        const token = needs.token ? await sign(legacyClaims(account, name)) : undefined;
        await client.core.v1
          .secrets(namespace)
          .update(fillSecret(secret, account, { needs, token, rootCa: authority }))
          .then(() => {}, ignoreLostRaces);
      },
    });
    secretLoop.watchFor(secrets, keysOf);
    rootCa?.onChange(() =>
      secrets.indexer
        .list()
        .flatMap(keysOf)
        .forEach((key) => secretLoop.queue.add(key)),
    );

    return runTogether(accountLoop, secretLoop);
  },
};

function keysOf(secret: CachedSecret): string[] {
  const { namespace, name, uid } = secret.metadata ?? {};
  const account = accountOf(secret);
  return secret.type === tokenType && account.name !== ""
    ? [`${namespace}/${name}/${uid}/${account.name}/${account.uid}`]
    : [];
}

const getAccount = (client: Client, namespace: string, name: string): Promise<CachedServiceAccount | undefined> =>
  client.core.v1.serviceaccounts(namespace).get(name).catch(ignoreGone);

/** Takes a secret that is gone out of its account's list. */
async function removeReference(
  client: Client,
  { namespace, accountName, secretName }: { namespace: string; accountName: string; secretName: string },
): Promise<void> {
  const accounts = client.core.v1.serviceaccounts(namespace);
  const account = await accounts.get(accountName).catch(ignoreLostRaces);
  if (!account?.secrets?.some(({ name }) => name === secretName)) return;
  const left = account.secrets.filter(({ name }) => name !== secretName);
  await accounts.update({ ...account, secrets: left }).catch(ignoreGone);
}

/** It is gone, or somebody wrote it: the event of that wakes the key again. */
function ignoreLostRaces(error: unknown): undefined {
  if (!isConflict(error) && !isNotFound(error)) throw error;
  return undefined;
}
