import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { expect, it } from "vitest";
import { listenerInode, portHolder } from "./port-holder.js";

const table = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:192B 0100007F:CD02 01 00000000:00000000 00:00000000 00000000     0        0 111 1
   1: 0100007F:192B 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 222 1
`;

it("the socket that listens is found, not one of its connections", () => {
  expect([listenerInode(table, 6443), listenerInode(table, 80)]).toEqual(["222", undefined]);
});

it.runIf(process.platform === "linux")("the process that has a port is named", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  expect(portHolder((server.address() as AddressInfo).port)).toContain(`(pid ${process.pid})`);
  server.close();
});
