import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Patron, Turns } from "@coxswain/wire/turns";
import { describe, expect, it } from "vitest";
import { Http1Patrons } from "./http1-patron.js";

describe("the requests of a connection of HTTP/1.1", () => {
  const enlisted: Patron[] = [];
  const turns = { enlist: (patron: Patron) => enlisted.push(patron) } as unknown as Turns;
  const patrons = new Http1Patrons(turns);
  const begun: string[] = [];

  it("are begun one per turn, in their order, also those that come meanwhile", () => {
    const patron = patrons.of(new EventEmitter() as Socket);
    patron.wait(() => {
      begun.push("first");
      patron.wait(() => begun.push("third"));
    });
    patron.wait(() => begun.push("second"));
    expect([patron.serve(), [...begun]]).toEqual([true, ["first"]]);
    expect([patron.serve(), [...begun]]).toEqual([true, ["first", "second"]]);
    expect([patron.serve(), [...begun]]).toEqual([false, ["first", "second", "third"]]);
    expect(enlisted).toEqual([patron]); // once: whoever has more to do stays in the row
  });

  it("are begun behind one that breaks", () => {
    const patron = patrons.of(new EventEmitter() as Socket);
    patron.wait(() => {
      throw new Error("broken");
    });
    let isBegun = false;
    patron.wait(() => (isBegun = true));
    expect(() => patron.serve()).toThrow("broken");
    expect(patron.serve()).toBe(false);
    expect(isBegun).toBe(true);
  });

  it("are not read behind those that are answered while many of their user wait, unless one is not whole", () => {
    const createSocket = () => {
      const socket = {
        isPaused: false,
        pause: () => ((socket.isPaused = true), socket),
        resume: () => ((socket.isPaused = false), socket),
        once() {},
      };
      return socket;
    };
    const sockets = Array.from({ length: 40 }, createSocket);
    const [first, second, third] = [createSocket(), createSocket(), createSocket()];
    const own = [first, second, third].map((socket) => patrons.of(socket as unknown as Socket));
    const others = sockets.map((socket) => patrons.of(socket as unknown as Socket));
    for (const patron of [...own, ...others]) patron.user = "flood";
    const response = new EventEmitter() as ServerResponse;
    own[0]?.answering({ complete: true }, response);
    for (const patron of others) patron.wait(() => {});
    own[1]?.answering({ complete: true }, response);
    own[2]?.answering({ complete: false }, response);
    response.emit("finish");
    expect([first, second, third].map(({ isPaused }) => isPaused)).toEqual([false, true, false]);
    for (const patron of others) patron.serve();
    expect(second.isPaused).toBe(false);
  });
});
