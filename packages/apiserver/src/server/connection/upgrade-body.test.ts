import { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { Http1Message } from "../http1/message.js";
import { readUpgradeBody } from "./upgrade-body.js";

const head = Buffer.from("behind");

/** As node's parser hands an upgrade request over: with what it has read of a body of ten bytes. */
function messageWith({ parsed, complete }: { parsed: string; complete: boolean }): Http1Message {
  const message = new Http1Message(new Socket());
  message.headers["content-length"] = "10";
  if (parsed) message.push(Buffer.from(parsed));
  if (complete) message.push(null);
  message.complete = complete;
  return message;
}

describe("the body of a request that asks for another protocol", () => {
  it("comes from the parser where it has read all of it, as on Node 26", async () => {
    const body = readUpgradeBody(messageWith({ parsed: "0123456789", complete: true }), new Socket(), head);
    expect([body.exists, await text(body.open()), String(body.rest())]).toEqual([true, "0123456789", "behind"]);
  });

  it("comes from the parser where the rest is still to be read, as on Node 26", async () => {
    const message = messageWith({ parsed: "", complete: false });
    const body = readUpgradeBody(message, new Socket(), head);
    const whole = text(body.open());
    message.push(Buffer.from("0123456789"));
    message.push(null);
    expect([body.exists, await whole, String(body.rest())]).toEqual([true, "0123456789", "behind"]);
  });

  it("comes from what follows the head where the parser stops there, as before Node 26", async () => {
    const behind = Buffer.from("0123456789behind");
    const body = readUpgradeBody(messageWith({ parsed: "", complete: true }), new Socket(), behind);
    expect([body.exists, await text(body.open()), String(body.rest())]).toEqual([true, "0123456789", "behind"]);
  });
});
