import type { AnyKind } from "@coxswain/kinds";
import type { WriteScope } from "../objects/write-scope.js";

/** What the server writes on its own account. */
export const serverScope = (
  kind: AnyKind,
  { namespace = "", name = "", view = "" }: { namespace?: string; name?: string; view?: string } = {},
): WriteScope => ({
  kind,
  view,
  namespace,
  name,
  user: { name: "system:apiserver", groups: ["system:masters"] },
  verb: "bootstrap",
  manager: "kube-apiserver",
  dryRun: false,
  warn: () => {},
  annotate: () => {},
});
