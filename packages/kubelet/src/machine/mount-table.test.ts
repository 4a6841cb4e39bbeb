import { describe, expect, it } from "vitest";
import { mountAt, mountsBeneath, parseMountInfo } from "./mount-table.js";

const text = [
  "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro",
  "36 22 0:40 / /var/lib/kubelet/pods/a/volumes/kubernetes.io~secret/s rw,relatime - tmpfs tmpfs rw,size=1024k,noswap",
  "37 22 8:1 /data/x\\040y /var/lib/kubelet/pods/a/volume-subpaths/d/c/0 ro,relatime shared:1 master:2 - ext4 /dev/sda1 rw",
  "38 36 0:41 / /var/lib/kubelet/pods/a/volumes/kubernetes.io~secret/s rw - tmpfs tmpfs rw",
  "39 22 0:42 / /var/lib/kubelet/pods/ab/v rw - tmpfs tmpfs rw",
  "a line that is none",
  "",
].join("\n");
const table = parseMountInfo(text);

describe("the mount table", () => {
  it("is read line by line, escapes resolved, with any number of optional fields", () => {
    expect(table).toHaveLength(5);
    expect(table[2]).toEqual({
      target: "/var/lib/kubelet/pods/a/volume-subpaths/d/c/0",
      root: "/data/x y",
      device: "8:1",
      fsType: "ext4",
      options: ["ro", "relatime", "rw"],
    });
    expect(table[1]?.options).toContain("noswap");
  });

  it("the last mount at a path is the one that is seen", () =>
    expect(mountAt(table, "/var/lib/kubelet/pods/a/volumes/kubernetes.io~secret/s")?.device).toBe("0:41"));

  it("mounts below a directory come in the order to unmount them, and those of a longer name are not below it", () =>
    expect(mountsBeneath(table, "/var/lib/kubelet/pods/a").map(({ device }) => device)).toEqual([
      "0:41",
      "8:1",
      "0:40",
    ]));
});
