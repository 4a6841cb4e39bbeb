import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** A log that cannot be read, in words for users. */
export class LogError extends Error {
  override readonly name = "LogError";
}

/**
 * Opens a log that a container runtime writes. A symbolic link is refused: a pod that can write below the log directory must not be
 * able to show other files of the node through its log. So is a FIFO, which would block.
 * @throws LogError
 */
export async function openLog(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    ({ code, message }: Error & { code?: string }) => {
      const reason =
        code === "ENOENT" ? "no such file or directory" : code === "ELOOP" ? "it is a symbolic link" : message;
      throw new LogError(`failed to open log file ${JSON.stringify(path)}: ${reason}`, { cause: code });
    },
  );
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new LogError(`failed to open log file ${JSON.stringify(path)}: it is no regular file`);
}
