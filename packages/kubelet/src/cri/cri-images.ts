import { imageService } from "../gen/cri.js";
import { type ImageRecord, type PullRequest, RuntimeError } from "../runtime/container-runtime.js";
import { type CriClient, hasCriCode, wholeError } from "./cri-client.js";
import { PullQueue } from "./pull-queue.js";
import { readImage } from "./read-status.js";

/** The images of the runtime. */
export class CriImages {
  readonly #client: CriClient;
  readonly #pulls: PullQueue;

  constructor(client: CriClient, maxParallelPulls: number) {
    this.#client = client;
    this.#pulls = new PullQueue(maxParallelPulls);
  }

  async status(image: string): Promise<ImageRecord | undefined> {
    const { image: found } = await this.#client.call(imageService.imageStatus, { image: { image } });
    return found && found.id !== "" ? readImage(found, image) : undefined;
  }

  /** A pull takes as long as it takes. */
  async pull({ image, auth }: PullRequest, signal?: AbortSignal): Promise<ImageRecord> {
    try {
      const request = { image: { image, userSpecifiedImage: image }, ...(auth && { auth }) };
      const options = { timeoutMs: 0, signal };
      await this.#pulls.run(() => this.#client.call(imageService.pullImage, request, options), signal);
    } catch (error) {
      throw wholeError(error);
    }
    const record = await this.status(image);
    if (!record) throw new RuntimeError(`the image "${image}" was pulled and is not there`);
    return record;
  }

  async list(): Promise<ImageRecord[]> {
    const { images } = await this.#client.call(imageService.listImages, { filter: {} });
    return images.map((image) => readImage(image));
  }

  async remove(image: string): Promise<void> {
    try {
      await this.#client.call(imageService.removeImage, { image: { image } });
    } catch (error) {
      if (!hasCriCode(error, "NOT_FOUND")) throw error;
    }
  }
}
