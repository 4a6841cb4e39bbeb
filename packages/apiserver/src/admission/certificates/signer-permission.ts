import type { Authorizer } from "../../authorization/attributes.js";
import type { UserInfo } from "../../request/user-info.js";

/** Whether a user may approve or sign what is meant for a signer: by its own name, or for all of its domain (`example.com/*`). */
export async function isAllowedForSigner(
  authorizer: Authorizer,
  user: UserInfo,
  verb: string,
  signerName: string,
): Promise<boolean> {
  const ask = async (name: string): Promise<boolean> =>
    (
      await authorizer({
        user,
        verb,
        isResource: true,
        path: "",
        namespace: "",
        group: "certificates.k8s.io",
        version: "*",
        resource: "signers",
        subresource: "",
        name,
      })
    ).decision === "allow";
  return (await ask(signerName)) || (await ask(`${signerName.split("/")[0] ?? ""}/*`));
}
