import { createHash } from "node:crypto";

/** What is too long, or nobody's business, for a label: as upstream writes its hash there (k8s.io/apiserver/pkg/server/options/authenticationconfig/metrics/metrics.go, getHash). */
export const hashLabel = (text: string): string =>
  text === "" ? "" : `sha256:${createHash("sha256").update(text).digest("hex")}`;
