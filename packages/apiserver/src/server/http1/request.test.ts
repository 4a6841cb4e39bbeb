import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { Http1Request, PlainBody } from "./request.js";

const request = (response: EventEmitter & { closed: boolean }) => {
  const message = { method: "GET", headers: {}, rawHeaders: [], socket: undefined } as unknown as IncomingMessage;
  return new Http1Request({
    message,
    response: response as unknown as ServerResponse,
    target: { path: "/", query: "" },
    body: new PlainBody(message),
    connection: { flow: undefined },
  });
};

describe("a request over HTTP/1.1", () => {
  it("calls back when its client is gone", () => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    const asked = request(response);
    let isGone = false;
    asked.whenGone(() => (isGone = true));
    expect(isGone).toBe(false);
    response.emit("close");
    expect(isGone).toBe(true);
    expect(asked.signal.aborted).toBe(true);
  });

  it("calls back at once when its client is gone already", () => {
    const asked = request(Object.assign(new EventEmitter(), { closed: true }));
    let isGone = false;
    asked.whenGone(() => (isGone = true));
    expect(isGone).toBe(true);
    expect(asked.signal.aborted).toBe(true);
  });

  it("listens to nothing that nobody asked for", () => {
    const response = Object.assign(new EventEmitter(), { closed: false });
    request(response);
    expect(response.listenerCount("close")).toBe(0);
  });
});
