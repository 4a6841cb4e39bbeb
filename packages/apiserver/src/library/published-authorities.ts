import type { Client } from "@coxswain/client";
import type { AuthenticationOptions } from "../authentication/authentication-options.js";

/** The authorities that a cluster publishes for servers behind it (k8s.io/apiserver/pkg/server/options/authentication_dynamic_request_header.go). */
export async function publishedAuthorities(
  client: Client,
): Promise<Pick<AuthenticationOptions, "clientCa" | "requestHeader">> {
  const { data = {} } = await client.core.v1.configmaps("kube-system").get("extension-apiserver-authentication");
  const clientCa = data["client-ca-file"];
  const authority = data["requestheader-client-ca-file"];
  return {
    ...(clientCa !== undefined && { clientCa }),
    ...(authority !== undefined && {
      requestHeader: {
        authority,
        username: namesIn(data["requestheader-username-headers"]),
        uid: namesIn(data["requestheader-uid-headers"]),
        group: namesIn(data["requestheader-group-headers"]),
        extraPrefix: namesIn(data["requestheader-extra-headers-prefix"]),
        allowedNames: namesIn(data["requestheader-allowed-names"]),
      },
    }),
  };
}

/** A list in JSON. What is none is no reason to trust anybody: no header names a user then. */
function namesIn(text: string | undefined): readonly string[] {
  const names: unknown = JSON.parse(text ?? "[]");
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    throw new Error("the ConfigMap extension-apiserver-authentication holds something else than lists of names");
  return names;
}
