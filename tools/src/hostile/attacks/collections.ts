import { type Attack, repeat } from "../attack.js";
import { send } from "../send.js";

const secrets = "/api/v1/namespaces/default/secrets";
/** A megabyte, which is what a Secret may have. */
const data = Buffer.alloc(1_000_000, "x").toString("base64");

/** Many large objects that one request deletes. */
export const collectionAttacks: readonly Attack[] = [
  {
    name: "40 Secrets of 1 MB that are deleted together",
    isLong: true,
    async run(target, signal) {
      await repeat(signal, 1, async () => {
        const secret = { metadata: { generateName: "hostile-" }, data: { a: data } };
        for (let at = 0; at < 40 && !signal.aborted; at++) await send(target, "POST", secrets, secret, signal);
        await send(target, "DELETE", secrets, undefined, signal);
      });
      await send(target, "DELETE", secrets);
    },
  },
];
