import { parseOnlyFlags } from "@coxswain/component/flags";
import { expect, it } from "vitest";
import { etcdFlags } from "./etcd-flags.js";
import { doubleDashed } from "./etcd-program.js";

it("etcd takes what kube-api-test passes, with one dash or two", () => {
  const line =
    "-data-dir /d -wal-dir /w --listen-client-urls http://0.0.0.0:1 --advertise-client-urls http://0.0.0.0:1 --initial-cluster default=http://localhost:2 --initial-advertise-peer-urls http://localhost:2 --listen-peer-urls http://localhost:2";
  expect(parseOnlyFlags(etcdFlags, doubleDashed(line.split(" ")))).toMatchObject({
    options: { dataDir: "/d", listenClientUrls: ["http://0.0.0.0:1"], initialCluster: "default=http://localhost:2" },
  });
});
