import { formatTime } from "@coxswain/apimachinery/time";
import type { Clock } from "@coxswain/runtime/clock";
import type { VersionInfo } from "../../documents/version.js";
import type { PathSource } from "./path-source.js";
import { answerStructured } from "./structured-page.js";
import { zpageHead } from "./zpage-head.js";

export interface StatuszOptions {
  readonly version: VersionInfo;
  readonly clock: Pick<Clock, "now">;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Pages that are worth a look. */
  readonly paths: readonly string[];
}

/** `/statusz`: how this server is doing, on one page. */
export function createStatusz({ version, clock, startedAt, paths }: StatuszOptions): PathSource {
  const binaryVersion = version.gitVersion.replace(/^v/, "");
  const emulationVersion = `${version.emulationMajor}.${version.emulationMinor}`;
  const upSeconds = (): number => Math.max(0, Math.floor((clock.now() - startedAt) / 1000));
  return (context) =>
    context.info.path === "/statusz"
      ? answerStructured(
          {
            kind: "Statusz",
            text: () =>
              [
                zpageHead("statusz"),
                `\nStarted:  ${unixDate(startedAt)}`,
                `Up:  ${upText(upSeconds())}`,
                `Go version:  ${version.goVersion}`,
                `Binary version:  ${binaryVersion}`,
                `Emulation version:  ${emulationVersion}`,
                `Paths:  ${paths.join(" ")}\n`,
              ].join("\n"),
            members: () => ({
              startTime: formatTime(startedAt),
              uptimeSeconds: upSeconds(),
              goVersion: version.goVersion,
              binaryVersion,
              emulationVersion,
              paths,
            }),
          },
          context,
        )
      : undefined;
}

const two = (value: number): string => String(value).padStart(2, "0");

const upText = (seconds: number): string =>
  `${Math.floor(seconds / 3600)} hr ${two(Math.floor(seconds / 60) % 60)} min ${two(seconds % 60)} sec`;

/** `Mon Nov 16 00:44:13 UTC 2026` */
function unixDate(ms: number): string {
  const [day = "", date = "", month = "", year = "", time = ""] = new Date(ms).toUTCString().split(" ");
  return `${day.slice(0, 3)} ${month} ${String(Number(date)).padStart(2, " ")} ${time} UTC ${year}`;
}
