import { readFileSync } from "node:fs";
import type { Client } from "@coxswain/client";

/** Of a file that is named, or what the API server publishes for servers behind it. */
export async function clientAuthorityOf(
  { clientCaFile }: { readonly clientCaFile?: string | undefined },
  client: Client,
): Promise<string> {
  if (clientCaFile !== undefined) return readFileSync(clientCaFile, "utf8");
  const published = await client.core.v1.configmaps("kube-system").get("extension-apiserver-authentication");
  const authority = published.data?.["client-ca-file"];
  if (authority === undefined)
    throw new Error("the API server publishes no authority of client certificates: name a file by --client-ca-file");
  return authority;
}
