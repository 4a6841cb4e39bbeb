import { expect, it } from "vitest";
import { Http1Crowd } from "./http1-crowd.js";

const createSocket = () => {
  const socket = {
    isPaused: false,
    pause: () => ((socket.isPaused = true), socket),
    resume: () => ((socket.isPaused = false), socket),
  };
  return socket as typeof socket & Parameters<Http1Crowd["pause"]>[0];
};

it("lets connections wait while many requests are ahead, some go on when it is less, and all when none is left", () => {
  const crowd = new Http1Crowd();
  for (let each = 0; each < 33; each++) crowd.add();
  expect(crowd.isLarge).toBe(true);
  const sockets = Array.from({ length: 6 }, createSocket);
  for (const socket of sockets) crowd.pause(socket);
  const paused = (): number => sockets.filter(({ isPaused }) => isPaused).length;
  const seen = [paused()];
  for (let each = 0; each < 3; each++) {
    crowd.remove();
    seen.push(paused());
  }
  expect(seen).toEqual([6, 6, 4, 2]);
  const last = createSocket();
  for (let each = 0; each < 29; each++) crowd.remove();
  crowd.pause(last);
  crowd.remove();
  expect([paused(), last.isPaused]).toEqual([0, false]);
  crowd.pause(last);
  expect(last.isPaused).toBe(false);
});
