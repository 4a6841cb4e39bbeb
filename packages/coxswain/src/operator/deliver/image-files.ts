import type { PlannedFile } from "../../project/write-files.js";

/** Written once, then the user's. */
export const imageFiles: readonly PlannedFile[] = [
  {
    path: "Dockerfile",
    text: `# "coxswain operator build" makes dist/main.mjs, which has all packages in it.
ARG BASE_IMAGE=gcr.io/distroless/nodejs22-debian12:nonroot
FROM \${BASE_IMAGE}
WORKDIR /
COPY dist/main.mjs dist/main.mjs.map /
USER 65532:65532
# The first two halve the memory: V8 grows its heap to several times what lives in it otherwise.
ENTRYPOINT ["/nodejs/bin/node", "--max-semi-space-size=1", "--optimize-for-size", "--enable-source-maps", "/main.mjs"]
`,
  },
  { path: ".dockerignore", text: "*\n!dist/main.mjs\n!dist/main.mjs.map\n" },
];
