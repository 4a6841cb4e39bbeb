import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/**
 * Where tests that do not depend on a disk keep their stores: in memory where the system has such a directory. A sync takes
 * milliseconds on a disk, and a conformance suite makes thousands. The tests of crashes and of failing disks use real files.
 */
export const quickDirectory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
