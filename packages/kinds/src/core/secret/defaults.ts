import { ownEntries, setOwn } from "@coxswain/apimachinery/own";
import { base64OfText } from "../../checks/base64-text.js";
import type { StoredSecret } from "./stored.js";

/** Plain text is only for writing: it goes into `data`, over what stands there, and is never seen again. */
export function setSecretDefaults(secret: StoredSecret): void {
  secret.type ||= "Opaque";
  for (const [key, text] of ownEntries(secret.stringData)) setOwn((secret.data ??= {}), key, base64OfText(text));
  delete secret.stringData;
}
