import type { AnyKind } from "@coxswain/kinds";
import type { UserInfo } from "../request/user-info.js";
import type { WriteScope } from "./write-scope.js";

/** Whom the server acts as in its own requests and writes. */
export const serverUser: UserInfo = { name: "system:apiserver", groups: ["system:masters"] };

/** What the server writes on its own account. */
export const serverScope = (
  kind: AnyKind,
  { namespace = "", name = "", view = "" }: { namespace?: string; name?: string; view?: string } = {},
): WriteScope => ({
  kind,
  view,
  namespace,
  name,
  user: serverUser,
  verb: "bootstrap",
  manager: "kube-apiserver",
  dryRun: false,
  warn: () => {},
  annotate: () => {},
});
