import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@coxswain/component/certificates";
import { systemClock } from "@coxswain/runtime/clock";
import { systemRandom } from "@coxswain/runtime/random";
import { afterAll, describe, expect, it } from "vitest";
import { followKubelet, kubeletFrom } from "./kubelet-flags.js";

describe("the certificates for kubelets", () => {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-kubelet-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const own = ensureCertificates(join(folder, "data"), { clock: systemClock, random: systemRandom });
  const [certificateFile, keyFile] = [join(folder, "client.crt"), join(folder, "client.key")];
  const place = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  const flags = {
    kubeletPreferredAddressTypes: ["InternalIP"],
    kubeletClientCertificate: certificateFile,
    kubeletClientKey: keyFile,
    kubeletCertificateAuthority: undefined,
  };

  it("are the data directory's where no files are given", () => {
    const setup = kubeletFrom({ ...flags, kubeletClientCertificate: undefined, kubeletClientKey: undefined });
    expect(setup.files).toEqual([]);
    expect(setup.read(own)).toEqual({
      preferredAddressTypes: ["InternalIP"],
      certificate: own.kubeletClient.certificate,
      key: own.kubeletClient.key,
    });
  });

  it("come in pairs", () =>
    expect(() => kubeletFrom({ ...flags, kubeletClientKey: undefined })).toThrow(
      "--kubelet-client-certificate and --kubelet-client-key are given together",
    ));

  it("are taken anew when their files have changed, once both fit together", async () => {
    place(certificateFile, own.kubeletClient.certificate);
    place(keyFile, own.kubeletClient.key);
    const events: string[] = [];
    let wake = (): void => {};
    const report = (event: string): void => {
      events.push(event);
      wake();
    };
    const until = async (event: string): Promise<void> => {
      while (!events.includes(event)) await new Promise<void>((resolve) => (wake = resolve));
    };
    const server = {
      replaceKubeletCredentials: ({ certificate, key }: { certificate?: string; key?: string }) =>
        report(certificate === own.admin.certificate && key === own.admin.key ? "both" : "something else"),
    };
    const following = followKubelet(kubeletFrom(flags), () => own, server, {
      info: () => undefined,
      warn: () => report("not yet"),
    });
    place(certificateFile, own.admin.certificate);
    await until("not yet");
    place(keyFile, own.admin.key);
    await until("both");
    expect(events).not.toContain("something else");
    following.stop();
  });
});
