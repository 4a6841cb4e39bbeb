import type { DocumentAnswer } from "../../request/answer.js";
import { roomForAll } from "../../request/request.js";
import type { PathSource } from "./path-source.js";

/** More than any number takes. */
const maxDigits = 100;

const plain = (code: number, text: string): DocumentAnswer => ({
  as: "document",
  code,
  contentType: "text/plain",
  headers: { "x-content-type-options": "nosniff" },
  bytes: new TextEncoder().encode(text),
});

/** `PUT /debug/flags/v` with a number sets the verbosity of the log, while the server runs. */
export const createDebugFlags =
  (setVerbosity: (verbosity: number) => void): PathSource =>
  async ({ info: { path }, request }) => {
    if (path === "/debug/flags" || path === "/debug/flags/")
      return {
        as: "document",
        code: 200,
        contentType: "text/html; charset=utf-8",
        bytes: new TextEncoder().encode("<html>\n<body>\n/debug/flags/<br>\nflags:<br>\nv<br>\n</body>\n</html>\n"),
      };
    if (path !== "/debug/flags/v") return undefined;
    if (request.method !== "PUT" || request.body.as !== "bytes") return plain(406, "unsupported http method\n");
    const text = new TextDecoder().decode(await request.body.read(maxDigits, roomForAll));
    if (!/^\d+$/.test(text)) return plain(400, `strconv.ParseUint: parsing ${JSON.stringify(text)}: invalid syntax\n`);
    if (Number(text) > 0x7fff_ffff)
      return plain(400, `strconv.ParseUint: parsing ${JSON.stringify(text)}: value out of range\n`);
    setVerbosity(Number(text));
    return plain(200, `successfully set klog.logging.verbosity to ${Number(text)}\n`);
  };
