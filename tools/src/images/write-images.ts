import { type Blob, createImageLayout } from "./image-layout.js";
import type { ImagesPlan, LayerPlan } from "./image-plan.js";

/** Makes a layout of planned images; each layer once. */
export async function writeImages(folder: string, plan: ImagesPlan): Promise<void> {
  const layout = await createImageLayout(folder);
  const made = new Map<string, Blob>();
  const layer = async (name: string): Promise<Blob> => {
    const known = made.get(name);
    if (known !== undefined) return known;
    const how: LayerPlan | undefined = plan.layers[name];
    if (how === undefined) throw new Error(`no layer is called ${name}`);
    const blob = await (how.kind === "tar" ? layout.addLayerFile(how.path) : layout.addLayer(how.entries));
    made.set(name, blob);
    return blob;
  };
  for (const { refs, layers, config } of plan.images) {
    const blobs: Blob[] = [];
    for (const name of layers) blobs.push(await layer(name));
    for (const ref of refs) await layout.addImage({ ref, layers: blobs, config });
  }
  await layout.finish();
}
