import type { Clock } from "@coxswain/runtime/clock";
import { bearerToken, type Identity, type IdentitySource } from "./identity.js";
import { watchFile } from "./watched-file.js";

/** client-go reads it each minute, ten seconds early. */
const periodMs = 50_000;

/** A bearer token in a file that the kubelet rotates. */
export function tokenFileIdentity(path: string, { clock }: { clock: Clock }): IdentitySource {
  const file = watchFile(path, { clock, periodMs });
  let last: { text: string; identity: Identity } | undefined;
  const identityOf = (text: string): Identity => {
    if (last?.text !== text) last = { text, identity: bearerToken(text.trim()) };
    return last.identity;
  };
  return {
    current() {
      const text = file.current();
      return typeof text === "string" ? identityOf(text) : text.then(identityOf);
    },
    async renew(used) {
      file.expire();
      return identityOf(await file.current()).headers["authorization"] !== used.headers["authorization"];
    },
  };
}
