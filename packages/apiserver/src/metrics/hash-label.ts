import { createHash } from "node:crypto";

/** What is too long, or nobody's business, for a label: as upstream writes its hash there. */
export const hashLabel = (text: string): string =>
  text === "" ? "" : `sha256:${createHash("sha256").update(text).digest("hex")}`;
