import { isAlreadyExists, isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { bearerToken, type Identity, type IdentitySource } from "@coxswain/client/node";
import type { Clock } from "@coxswain/runtime/clock";

export interface ServiceAccountIdentityOptions {
  /** May create service accounts and tokens. */
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  readonly clock: Clock;
}

/** kube-controller-manager asks for an hour and a few seconds, which distinguishes its tokens from others in audit logs. */
const expirationSeconds = 3607;
/** A token is renewed when less than a tenth of its time is left. */
const renewedShare = 0.9;

/** A service account, created where it is missing, by tokens that are renewed before they end. */
export function serviceAccountIdentity(options: ServiceAccountIdentityOptions): IdentitySource {
  const { client, namespace, name, clock } = options;
  let held: { readonly identity: Identity; readonly until: number } | undefined;
  let asking: Promise<Identity> | undefined;

  async function ask(): Promise<Identity> {
    const accounts = client.core.v1.serviceaccounts(namespace);
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: { expirationSeconds } };
    const request = (): Promise<{ status?: { token?: string } }> =>
      accounts.subresource<object>("token").create(name, review);
    const { status } = await request().catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error;
      await accounts.create({ metadata: { name } }).catch((problem: unknown) => {
        if (!isAlreadyExists(problem)) throw problem;
      });
      return request();
    });
    if (!status?.token) throw new Error(`the server issued no token for the service account ${namespace}/${name}`);
    const identity = bearerToken(status.token);
    held = { identity, until: clock.monotonic() + expirationSeconds * 1000 * renewedShare };
    return identity;
  }
  const renewed = (): Promise<Identity> => {
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
  return {
    current: () => (held && held.until > clock.monotonic() ? held.identity : renewed()),
    async renew(used) {
      if (held?.identity === used) held = undefined;
      return (await renewed()) !== used;
    },
  };
}
