import { join } from "node:path";
import type { Page } from "playwright-core";

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Four pictures of what is shown: light and dark, wide and narrow. */
export async function takePictures(page: Page, folder: string, name: string): Promise<void> {
  const file = name.replaceAll(/[^a-z0-9]+/gi, "-").slice(0, 90);
  for (const colorScheme of ["light", "dark"] as const)
    for (const size of [wide, narrow]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(size);
      await page.screenshot({ path: join(folder, `${file}-${colorScheme}-${size.width}.png`) });
    }
  await page.setViewportSize(wide);
}

/** One picture for the documentation: light, and small. */
export async function takeDocPicture(page: Page, folder: string, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1100, height: 560 });
  await page.screenshot({ path: join(folder, `console-${name}.png`) });
  await page.setViewportSize(wide);
}
