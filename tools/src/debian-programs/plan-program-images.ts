import { type ImagesPlan, pauseRef } from "../images/index.js";

/** The programs, and the tools by which pods ask them. */
const packages = ["bash", "coreutils", "curl", "nginx-light", "postgresql-15", "redis-server", "redis-tools"];

/** The command that makes one root file system with all of them, as a tar archive. The database that Debian's package begins is left out. */
export const planProgramsBase = (file: string): readonly string[] => [
  "mmdebstrap",
  "--quiet",
  "--variant=minbase",
  `--include=${packages.join(",")}`,
  '--customize-hook=rm -rf "$1"/usr/share/doc/* "$1"/var/lib/postgresql/15 "$1"/var/lib/apt/lists/*',
  "--skip=output/dev",
  "--format=tar",
  "bookworm",
  file,
];

/** No registry has these; `coxswain image load` brings them to the nodes. */
export const programImages = {
  nginx: "localhost/debian/nginx:bookworm",
  redis: "localhost/debian/redis:bookworm",
  postgres: "localhost/debian/postgres:bookworm",
} as const;

/** Images of one layer, whose programs are as Debian's packages install them; `sleep` holds the namespaces of pods. */
export const planProgramImages = (base: string): ImagesPlan => ({
  layers: { base: { kind: "tar", path: base } },
  images: [
    {
      refs: [programImages.nginx],
      layers: ["base"],
      config: { Cmd: ["nginx", "-g", "daemon off;"], StopSignal: "SIGQUIT" },
    },
    { refs: [pauseRef], layers: ["base"], config: { Entrypoint: ["sleep", "infinity"] } },
    { refs: [programImages.redis], layers: ["base"], config: { Cmd: ["redis-server"] } },
    {
      refs: [programImages.postgres],
      layers: ["base"],
      config: {
        User: "postgres",
        Env: ["PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
      },
    },
  ],
});
