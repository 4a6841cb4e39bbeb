import { duplexPair } from "node:stream";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import type { ClientCall } from "../calls/client-call.js";
import { Http1Connection } from "./http1-connection.js";
import { Sweeper } from "./sweeper.js";

const get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
const post = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n";
const answer = (call: ClientCall): void => {
  call.respond({ status: 200, fields: [] }, true);
};
const readBody = (call: ClientCall): void => call.readBody({ onBody() {}, onBodyEnd() {}, onBodyAborted() {} });

/** What a client gets that sends this, and then nothing for so many seconds. */
async function outcome(sent: string, seconds: number, onCall: (call: ClientCall) => void): Promise<string> {
  const [client, socket] = duplexPair();
  const clock = createVirtualClock();
  let isClosed = false;
  let text = "";
  client.on("data", (chunk) => (text += chunk));
  const connection = new Http1Connection({
    socket,
    first: undefined,
    sweeper: new Sweeper(clock),
    scheme: "http",
    clientAddress: "192.0.2.1",
    onCall,
    onClosed: () => (isClosed = true),
  });
  client.write(sent);
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(seconds * 1000);
  await new Promise((resolve) => setImmediate(resolve));
  const status = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
  const outcome = [...(status ? [status] : []), isClosed ? "closed" : "open"].join(", ");
  connection.destroy();
  return outcome;
}

describe("clients that take their time", () => {
  const rows: [name: string, sent: string, seconds: number, onCall: (call: ClientCall) => void, want: string][] = [
    ["a connection without a byte is open for ten seconds", "", 9, answer, "open"],
    ["and no longer", "", 12, answer, "closed"],
    ["a head without an end is awaited for ten seconds", "GET / HTTP/1.1\r\nHo", 9, answer, "open"],
    ["and no longer", "GET / HTTP/1.1\r\nHo", 14, answer, "408, closed"],
    ["a connection that was answered is kept for a minute", get, 58, answer, "200, open"],
    ["and no longer", get, 63, answer, "200, closed"],
    ["a body that does not come is awaited for half a minute", post, 29, readBody, "open"],
    ["and no longer", post, 34, readBody, "408, closed"],
    ["an answer that does not come is awaited", get, 120, () => {}, "open"],
    ["a body that nobody reads yet is not the client's fault", post, 120, () => {}, "open"],
  ];
  for (const [name, sent, seconds, onCall, want] of rows)
    it(`${name}: ${JSON.stringify(sent.slice(0, 4))}`, async () =>
      expect(await outcome(sent, seconds, onCall)).toBe(want));
});
