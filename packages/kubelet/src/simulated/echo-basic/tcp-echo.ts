import type { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";
import { serverNameOf } from "./tls-server.js";

/** Bytes of a line; a client that sends more is cut off. */
const maxLine = 64 * 1024;

/** Lines in, lines out (conformance/echo-basic/tcpserver). */
export function serveTcpEcho(connection: Duplex, about: object, secure: TLSSocket | undefined): void {
  connection.on("error", () => {}); // "close" follows
  connection.write("Gateway API Test TCP Server\n");
  const isTLS = secure !== undefined;
  const facts = { ...about, isTLS, ...(secure && { tls: describeTls(secure) }) };
  let rest = "";
  connection.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answerLine(connection, line.replace(/\r$/, ""), { facts, isTLS });
    if (rest.length > maxLine) connection.destroy();
  });
  connection.on("end", () => connection.end());
}

function answerLine(connection: Duplex, line: string, { facts, isTLS }: { facts: object; isTLS: boolean }): void {
  if (line === "TEST") connection.write(`${JSON.stringify(facts)}\n`);
  if (line === "IS_TLS") connection.write(`${isTLS}\n`);
  if (line === "PING") connection.write("PONG\n");
}

/** As Go names versions. */
const describeTls = (secure: TLSSocket): object => ({
  version: (secure.getProtocol() ?? "").replace("TLSv", "TLS "),
  serverName: serverNameOf(secure),
  ...(secure.alpnProtocol && { negotiatedProtocol: secure.alpnProtocol }),
  cipherSuite: secure.getCipher().standardName,
});
