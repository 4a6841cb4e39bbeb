import type { Target } from "../attack.js";

/** The preface and an empty SETTINGS frame. */
export const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0", "latin1");

export function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** By indices of HPACK's static table: :method is 2 (GET) and 3 (POST), :scheme 7 (https), :path 4, :authority 1, authorization 23. */
function authorized(method: "GET" | "POST", { token }: Target, path: string): Buffer {
  const text = (value: string): Buffer => Buffer.from(`${String.fromCharCode(value.length)}${value}`, "latin1");
  const begin = Buffer.from(method === "GET" ? "828704" : "838704", "hex");
  const authorization = Buffer.concat([Buffer.from("0f08", "hex"), text(`Bearer ${token}`)]);
  return Buffer.concat([begin, text(path), Buffer.from("41016f", "hex"), authorization]);
}

/** The header block of a GET with the user's token. */
export const authorizedGet = (target: Target, path: string): Buffer => authorized("GET", target, path);

/** The header block of a POST with the user's token. */
export const authorizedPost = (target: Target, path: string): Buffer => authorized("POST", target, path);
