import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";
import type { Authorizer } from "../authorization/attributes.js";
import { createWebhookAuthorizer } from "../authorization/webhook/webhook-authorizer.js";
import { publishedAuthorities } from "./published-authorities.js";

/** k8s.io/apiserver/pkg/server/options/authentication.go and authorization.go: for so long an answer counts. */
const keptMs = 10_000;

/**
 * Lets the API server of a cluster identify the clients of a server behind it, as k8s.io/apiserver's delegating options do: it reviews
 * tokens (TokenReview), and its ConfigMap `extension-apiserver-authentication` names the authorities of client certificates and of the
 * proxy that names users in headers. The client's user needs the ClusterRole `system:auth-delegator` and the Role
 * `extension-apiserver-authentication-reader` of kube-system.
 * Rejects where the ConfigMap cannot be read. Caveat: it is read once.
 */
export const delegateAuthentication = async (client: Client): Promise<AuthenticationOptions> => ({
  ...(await publishedAuthorities(client)),
  webhook: { connection: poster(client, "authentication", "tokenreviews"), version: "v1", cacheMs: keptMs },
});

/** Lets the API server of a cluster decide who may do what (SubjectAccessReview). */
export const delegateAuthorization = (client: Client, { ioClock }: Pick<Runtime, "ioClock">): Authorizer =>
  createWebhookAuthorizer({
    ...poster(client, "authorization", "subjectaccessreviews"),
    version: "v1",
    authorizedMs: keptMs,
    unauthorizedMs: keptMs,
    failurePolicy: "NoOpinion",
    clock: ioClock,
  });

/** Creates reviews; rejects with the message of a refusal. */
const poster = (client: Client, group: string, resource: string) => ({
  async post(review: unknown): Promise<unknown> {
    const response = await client.transport.send({
      method: "POST",
      path: `/apis/${group}.k8s.io/v1/${resource}`,
      body: { as: "value", value: review },
      timeoutMs: 10_000,
    });
    const answer = await response.value();
    if (response.status >= 300)
      throw new Error((answer as { message?: string }).message ?? `${resource}: ${response.status}`);
    return answer;
  },
});
