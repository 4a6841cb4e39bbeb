import { createHash } from "node:crypto";
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TokenRequest } from "@coxswain/api/authentication/v1";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { parseDurationMs } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { type CachedPod, nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import { type CredentialProvider, readProviderConfig } from "./credential-provider-config.js";
import { isPlaceOf, matchCredentials, type RegistryCredential, registryOf, repositoryNameOf } from "./docker-config.js";
import type { ObjectCoordinates, PullCredential, PullCredentials } from "./pull-credential.js";
import { createProviderRunner, type RunProvider } from "./run-credential-provider.js";

export interface CredentialPluginsOptions {
  readonly providers: readonly CredentialProvider[];
  readonly run: RunProvider;
  /** In the node's name. */
  readonly client: Client;
  readonly runtime: Pick<Runtime, "clock" | "log">;
}

interface CacheEntry {
  readonly credentials: readonly RegistryCredential[];
  readonly expiresAt: number;
}

/** Entries of one provider; the oldest go first. Upstream's cache has no limit, but each pod's token may make one. */
const maxEntries = 1000;

/** Credentials from programs on the node, by the images that each is for. A provider that fails gives none, and is logged. */
export function createCredentialPlugins({
  providers,
  run,
  client,
  runtime,
}: CredentialPluginsOptions): PullCredentials {
  const caches = providers.map((provider) => createProviderCache(provider, { run, client, runtime }));
  return async (pod, image) => {
    const repository = repositoryNameOf(image);
    const found: PullCredential[] = [];
    for (const [i, provider] of providers.entries()) {
      if (!provider.matchImages.some((place) => isPlaceOf(place, repository))) continue;
      try {
        for (const credential of (await caches[i]?.(pod, repository)) ?? []) found.push(credential);
      } catch (error) {
        const facts = { provider: provider.name, image, pod: nameOf(pod), error };
        runtime.log.error("Failed to provide credentials for image", facts);
      }
    }
    return found;
  };
}

/** What a provider is called with for the sake of a pod: upstream's service account token mode. */
interface TokenFacts {
  readonly account?: ObjectCoordinates;
  readonly token?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  /** What answers are kept by, besides the image. */
  readonly key: string;
}

function createProviderCache(
  provider: CredentialProvider,
  { run, client, runtime: { clock } }: Omit<CredentialPluginsOptions, "providers">,
): (pod: CachedPod, repository: string) => Promise<readonly PullCredential[]> {
  const cache = new Map<string, CacheEntry>();
  /** Runs that are under way, so that pods that start together run the program once. */
  const running = new Map<string, ReturnType<RunProvider>>();
  const defaultMs = parseDurationMs(provider.defaultCacheDuration) ?? 0;
  const keyOf = (base: string, facts: TokenFacts): string => JSON.stringify([base, facts.key]);

  function cached(repository: string, facts: TokenFacts): readonly RegistryCredential[] | undefined {
    for (const base of [repository, registryOf(repository), "<global>"]) {
      const entry = cache.get(keyOf(base, facts));
      if (entry && clock.now() <= entry.expiresAt) return entry.credentials;
      cache.delete(keyOf(base, facts));
    }
    return undefined;
  }

  async function ask(repository: string, facts: TokenFacts): Promise<readonly RegistryCredential[]> {
    const { token, annotations } = facts;
    const flight = JSON.stringify([repository, token && digest(token), annotations]);
    const request = {
      image: repository,
      ...(token && { serviceAccountToken: token }),
      ...(annotations && { serviceAccountAnnotations: annotations }),
    };
    let answer = running.get(flight);
    if (!answer) {
      answer = run(provider, request).finally(() => running.delete(flight));
      running.set(flight, answer);
    }
    const { cacheKeyType, cacheMs = defaultMs, credentials } = await answer;
    if (
      token &&
      provider.tokenAttributes?.cacheType !== "Token" &&
      credentials.some((each) => each.auth.password === token)
    )
      throw new Error(
        "credential provider plugin returned the service account token as the password which is not allowed when service account cache type is not set to 'Token'",
      );
    if (cacheMs > 0) {
      const base = { Image: repository, Registry: registryOf(repository), Global: "<global>" }[cacheKeyType];
      cache.set(keyOf(base, facts), { credentials, expiresAt: clock.now() + cacheMs });
      if (cache.size > maxEntries) cache.delete(cache.keys().next().value as string);
    }
    return credentials;
  }

  return async (pod, repository) => {
    const facts = await tokenFacts(client, provider, pod);
    if (!facts) return [];
    const credentials = cached(repository, facts) ?? (await ask(repository, facts));
    return matchCredentials(repository, credentials).map((auth) => ({
      auth,
      ...(facts.account && { serviceAccount: facts.account }),
    }));
  };
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Undefined: the provider is not asked for this pod. @throws Error where its service account cannot be read */
async function tokenFacts(
  client: Client,
  { tokenAttributes: wanted }: CredentialProvider,
  pod: CachedPod,
): Promise<TokenFacts | undefined> {
  if (!wanted) return { key: "" };
  const name = pod.spec?.serviceAccountName ?? "";
  if (name === "") return wanted.requireServiceAccount ? undefined : { key: "" };
  const namespace = namespaceOf(pod);
  const { metadata } = await client.core.v1.serviceaccounts(namespace).get(name);
  const uid = metadata?.uid ?? "";
  const annotations: Record<string, string> = {};
  for (const key of wanted.requiredServiceAccountAnnotationKeys ?? []) {
    const value = getOwn(metadata?.annotations, key);
    // An annotation may be how workloads ask for this provider.
    if (value === undefined) return undefined;
    setOwn(annotations, key, value);
  }
  for (const key of wanted.optionalServiceAccountAnnotationKeys ?? []) {
    const value = getOwn(metadata?.annotations, key);
    if (value !== undefined) setOwn(annotations, key, value);
  }
  const body: TokenRequest = {
    metadata: { uid },
    spec: {
      audiences: [wanted.serviceAccountTokenAudience],
      boundObjectRef: { apiVersion: "v1", kind: "Pod", name: nameOf(pod), uid: uidOf(pod) },
    },
  };
  const { status } = await client.core.v1
    .serviceaccounts(namespace)
    .subresource<TokenRequest>("token")
    .create(name, body);
  const token = status?.token ?? "";
  const tokenKey = wanted.cacheType === "Token" ? digest(token) : "";
  const key = JSON.stringify([namespace, name, uid, Object.entries(annotations).toSorted(), tokenKey]);
  return { account: { uid, namespace, name }, token, annotations, key };
}

/** The providers of a configuration, their programs checked. @throws Error that names what is missing */
export async function openCredentialPlugins(
  { configPath, directory }: { readonly configPath: string; readonly directory: string },
  context: Pick<CredentialPluginsOptions, "client" | "runtime">,
): Promise<PullCredentials> {
  await stat(directory).catch(() => {
    throw new Error(`plugin binary directory ${directory} did not exist`);
  });
  const { providers, hash } = await readProviderConfig(configPath);
  for (const { name } of providers)
    await access(join(directory, name), constants.X_OK).catch(() => {
      throw new Error(`plugin binary executable ${join(directory, name)} did not exist`);
    });
  context.runtime.log.info("credential providers are configured", { providers: providers.length, hash });
  return createCredentialPlugins({ providers, run: createProviderRunner(directory), ...context });
}
