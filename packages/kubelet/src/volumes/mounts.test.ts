import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeInMountNamespace } from "@coxswain/tools/needs";
import { afterEach, beforeEach, expect, it } from "vitest";
import { mountAt, mountsBeneath } from "../machine/mount-table.js";
import { runProgram } from "../machine/programs.js";
import type { CachedPod } from "../objects/cached-pod.js";
import { pod as makePod } from "../pod/pod.test.support.js";
import { createMounter } from "./mounter.js";
import type { NodeVolumes } from "./node-volumes.js";
import { startVolumes } from "./volumes.test.support.js";

const signal = new AbortController().signal;

describeInMountNamespace("mounts of a real node", import.meta.url, () => {
  const mounter = createMounter(runProgram);
  let top = "";
  let volumes: NodeVolumes;
  const emptyDirPod: CachedPod = makePod({ volumes: [{ name: "v", emptyDir: {} }] });

  beforeEach(async () => {
    top = await mkdtemp("/dev/shm/mounts-");
    ({ volumes } = await startVolumes(join(top, "kubelet"), mounter, {
      configMaps: { settings: { key: "value" } },
      secrets: { hidden: { key: "secret" } },
      claims: {
        data: { metadata: { uid: "c1" }, spec: { volumeName: "pv" } as never, status: { phase: "Bound" } },
      },
      persistentVolumes: { pv: { spec: { claimRef: { uid: "c1" }, local: { path: join(top, "disk") } } } },
    }));
    await mkdir(join(top, "disk"));
  });
  afterEach(async () => {
    for (const { target } of mountsBeneath(await mounter.table(), top)) await mounter.unmount(target);
    await rm(top, { recursive: true });
  });

  const pathOf = async (pod: CachedPod, name = "v"): Promise<string> => {
    const source = (await volumes.mount(pod, signal)).get(name);
    return source?.kind === "host" ? source.path : "";
  };
  const subPath = (path: string, part: string, index = 0): Promise<string> =>
    volumes.mountSubPath({ pod: emptyDirPod, container: "c", index, volume: "v", path, subPath: part });

  it("a secret is on a tmpfs of its own, and nothing of the pod is left after unmount", async () => {
    const pod = makePod({
      volumes: [
        { name: "s", secret: { secretName: "hidden" } },
        { name: "m", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
        { name: "d", persistentVolumeClaim: { claimName: "data" } },
      ],
    });
    const mounted = await volumes.mount(pod, signal);
    const secret = mounted.get("s");
    const path = secret?.kind === "host" ? secret.path : "";
    expect(mountAt(await mounter.table(), path)?.fsType).toBe("tmpfs");
    expect(await readFile(join(path, "key"), "utf8")).toBe("secret");
    const memory = mounted.get("m");
    const full = writeFile(join(memory?.kind === "host" ? memory.path : "", "big"), Buffer.alloc(2 * 1024 * 1024));
    await expect(full).rejects.toThrow("ENOSPC");
    const disk = mounted.get("d");
    await writeFile(join(disk?.kind === "host" ? disk.path : "", "kept"), "data");

    const again = await volumes.mount(pod, signal);
    expect([...again.keys()]).toEqual(["s", "m", "d"]);
    await volumes.unmount("u1");
    expect(mountsBeneath(await mounter.table(), join(top, "kubelet"))).toEqual([]);
    expect(await readdir(join(top, "kubelet/pods"))).toEqual([]);
    expect(await readFile(join(top, "disk/kept"), "utf8")).toBe("data");
  });

  it("a sub-path is made where it is missing, with the volume's mode, and seen through the bind mount", async () => {
    const path = await pathOf(emptyDirPod);
    const target = await subPath(path, "a/b");
    expect(target).toBe(join(top, "kubelet/pods/u1/volume-subpaths/v/c/0"));
    await writeFile(join(target, "file"), "x");
    expect(await readFile(join(path, "a/b/file"), "utf8")).toBe("x");
    expect((await stat(join(path, "a/b"))).mode & 0o7777).toBe(0o777);
    expect(await subPath(path, "a/b")).toBe(target);
    expect(mountsBeneath(await mounter.table(), target)).toHaveLength(1);
  });

  it("a sub-path of another kind replaces the one before, for a restarted container", async () => {
    const path = await pathOf(emptyDirPod);
    await writeFile(join(path, "file"), "content");
    await mkdir(join(path, "directory"));
    const target = await subPath(path, "directory");
    await subPath(path, "file");
    expect(await readFile(target, "utf8")).toBe("content");
    await subPath(path, "directory");
    expect((await stat(target)).isDirectory()).toBe(true);
    await volumes.unmount("u1");
    expect(await volumes.podUids()).toEqual([]);
  });

  it("a key of a config map is a sub-path, although it is a link", async () => {
    const pod = makePod({ volumes: [{ name: "v", configMap: { name: "settings" } }] });
    const target = await subPath(await pathOf(pod), "key");
    expect(await readFile(target, "utf8")).toBe("value");
  });

  const refused = [
    { name: "a link out of the volume", path: "out" },
    { name: "a path behind such a link", path: "out/file" },
    { name: "a path to be made behind such a link", path: "out/new/deep" },
    { name: "a link that leads nowhere", path: "dangling" },
  ];
  for (const { name, path } of refused)
    it(`${name} is no sub-path, and nothing is made outside`, async () => {
      const volume = await pathOf(emptyDirPod);
      await mkdir(join(top, "outside"));
      await writeFile(join(top, "outside/file"), "secret");
      await symlink(join(top, "outside"), join(volume, "out"));
      await symlink(join(top, "outside/none"), join(volume, "dangling"));
      await expect(subPath(volume, path)).rejects.toThrow(
        'failed to prepare subPath for volumeMount "v" of container "c"',
      );
      expect(await readdir(join(top, "outside"))).toEqual(["file"]);
    });

  it("an absolute sub-path, and one with a way up, are refused in upstream's words", async () => {
    const volume = await pathOf(emptyDirPod);
    await expect(subPath(volume, "/etc")).rejects.toThrow("error SubPath `/etc` must not be an absolute path");
    await expect(subPath(volume, "a/../..")).rejects.toThrow(
      "unable to provision SubPath `a/../..`: must not contain '..'",
    );
  });

  /** A container that swaps what is at `slot` for a link out of the volume and back, as fast as it can. */
  async function swapForever(volume: string): Promise<ChildProcess> {
    // In the moment when nothing is at the slot, the kubelet may make a directory there: it is removed.
    const script = `const { renameSync, rmSync } = require("node:fs");
      const move = (from, to) => { try { renameSync(from, to); } catch { rmSync(to, { recursive: true, force: true }); renameSync(from, to); } };
      const spin = () => { for (let i = Math.random() * 300_000; i > 0; i--); };
      process.stdout.write("ready");
      for (;;) {
        move("slot", "real"); move("evil", "slot"); spin();
        move("slot", "evil"); move("real", "slot"); spin();
      }`;
    const child = spawn(process.execPath, ["-e", script], { cwd: volume, stdio: ["ignore", "pipe", "inherit"] });
    await once(child.stdout, "data");
    return child;
  }

  for (const kind of ["directory", "file"] as const)
    it(`a ${kind} that is swapped for a link meanwhile never leads out of the volume, in 500 tries`, async () => {
      const volume = await pathOf(emptyDirPod);
      await mkdir(join(top, "outside"));
      await writeFile(join(top, "outside/file"), "secret");
      const outside = await stat(join(top, kind === "file" ? "outside/file" : "outside"));
      if (kind === "directory") await mkdir(join(volume, "slot"));
      else await writeFile(join(volume, "slot"), "own");
      await symlink(join(top, kind === "file" ? "outside/file" : "outside"), join(volume, "evil"));
      const attacker = await swapForever(volume);
      let [mounted, failed] = [0, 0];
      try {
        for (let i = 0; i < 500; i++) {
          // Also a path to be made below the slot, every other time.
          const part = kind === "directory" && i % 2 ? "slot/new" : "slot";
          const target = await subPath(volume, part).catch(() => undefined);
          if (target === undefined) failed++;
          else {
            mounted++;
            const seen = await lstat(target);
            expect(seen.dev === outside.dev && seen.ino === outside.ino).toBe(false);
            await mounter.unmount(target);
          }
        }
      } finally {
        attacker.kill("SIGKILL");
        if (attacker.exitCode === null) await once(attacker, "exit");
      }
      expect(await readdir(join(top, "outside"))).toEqual(["file"]);
      const links = await Promise.all(["slot", "evil"].map((name) => readlink(join(volume, name)).catch(() => "")));
      expect(links.some((link) => link.startsWith(join(top, "outside")))).toBe(true); // the link was still in play
      expect(attacker.signalCode).toBe("SIGKILL"); // it did its work to the end
      expect(mounted).toBeGreaterThan(0);
      expect(failed).toBeGreaterThan(0);
    });
});
