import { createHash } from "node:crypto";

/** As long as kube-proxy's; nft allows 256 bytes. */
const maxLength = 200;

/** "service-1f2e3d4c5b6a7988-ns/name/tcp/http": unique by its hash, readable by the rest. Whatever nft does not take becomes a dot. */
export function chainName(kind: string, of: string): string {
  const hash = createHash("sha256").update(of).digest("hex").slice(0, 16);
  return `${kind}-${hash}-${of.replace(/[^A-Za-z0-9/._-]/g, ".")}`.slice(0, maxLength);
}
